// What a launch has found so far.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "simt/find/fault.h"

namespace simt {

// What the running launch has found so far. A fault is told by its kind and by the instructions:
// where one pair of them does it again, nothing is added. Some are settled only at the end of the
// launch, when it is known what else happened.
struct Settings;

class FaultLog {
 public:
  struct Entry {
    Fault fault;
    const void* first = nullptr;   // the instruction of the earlier access
    const void* second = nullptr;  // and of the one that showed the fault
    uintptr_t address = 0;
    const void* guess = nullptr;  // of a race with an atomic, the instruction that reads
    bool inOneWarp = false;       // a race that there is none of where lanes run in lock-step
    // Of two volatile accesses, the instruction that reads, or the place that both write.
    const void* reading = nullptr;
  };
  // Whether it is there already, or there is no room for another. A race of threads of two warps is
  // not there yet where only lanes of one have been seen: what mends these may not mend it.
  bool has(Fault::Kind kind, const void* first, const void* second, bool inOneWarp = true) const;
  void add(Entry entry);
  bool empty() const { return entries_.empty(); }
  // All of them say that nothing orders some accesses: the launch goes on, in the order it has.
  bool areRaces() const;
  // Somebody does write that word, but unordered: the reads of it before were races.
  void supersedeUnwritten(uintptr_t address);
  // This read came right before an atomic of the same thread on the same address.
  void addCheckedRead(const void* pc) { checkedReads_.insert(pc); }
  // This volatile read asks this place again and again.
  void addRepeatedRead(const void* pc, const void* place) { repeatedReads_.insert({pc, place}); }
  // All of them, in the order in which they were found, and starts anew.
  std::vector<Fault> settle(const Settings& settings);

 private:
  static bool isPair(const Entry& entry, const void* first, const void* second);

  std::vector<Entry> entries_;
  std::set<const void*> checkedReads_, repeatedReads_;
};

}  // namespace simt
