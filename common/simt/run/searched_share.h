// Of a launch that takes long, a share of its blocks is looked at, and the others run plain: the
// first blocks, as many as Settings::searchSeconds allow, the last one, and some by chance.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simt/run/running_launch.h"

namespace simt {

// So many shares all kernels of a program have together.
constexpr double sharesInAll = 5;

class SearchedShare {
 public:
  // Of a launch whose blocks run by runOne in this order, which it may change.
  SearchedShare(Launch& launch, std::span<uint64_t> order, void (*runOne)(uint64_t number));
  ~SearchedShare();  // notes for launches to come what has been looked at
  SearchedShare(const SearchedShare&) = delete;
  SearchedShare& operator=(const SearchedShare&) = delete;

  // Asked before each block, with how many have ended. May run the next ones plain. Whether none is
  // left.
  bool restRan(uint64_t ended);
  // Whether not all blocks will be looked at, as far as is known when so many have been.
  bool isPart(uint64_t ended) const;
  // Worker processes have looked at blocks of it for so long.
  void addOthers(double seconds) { others_ += seconds; }

 private:
  enum class Phase {
    off,      // all that are left are looked at
    first,    // the first ones are
    chosen,   // the last one, and some by chance, which are the next ones now
    inOrder,  // plain ones, and between them the chosen ones
  };
  bool hadEnough(uint64_t ended);
  bool isWorthIt(uint64_t ended) const;
  bool mustBeInOrder() const { return launch_.talks || !launch_.faults.empty(); }
  double plainSeconds(uint64_t blocks) const;
  void choose(uint64_t ended);
  bool runPlainUntil(uint64_t begin, uint64_t end, bool inOrder);
  bool runApart(uint64_t ended);
  bool goOnInOrder(uint64_t ended);

  Launch& launch_;
  const std::span<uint64_t> order_;
  void (*const runOne_)(uint64_t);
  Phase phase_ = Phase::off;
  std::vector<uint64_t> chosen_;  // places in the order, ascending
  double budget_ = 0;             // seconds that are left to this launch
  bool usedUp_ = false;           // none, from the begin
  bool here_ = false;             // plain ones run in this process
  double begin_ = 0, last_ = 0;   // of this OS thread's own time
  double plain_ = 0;              // of it, that plain blocks took
  double others_ = 0;             // of other processes that looked at blocks
  double longest_ = 0;            // that a block took
  double each_ = 0;               // that one of the first ones took on average
};

}  // namespace simt
