// NCCL's all-reduce, and its reduce, for the cards of this program; on the executor, the same on
// the host.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "multi_gpu/cards.h"

enum class Combination { sum, minimum, maximum };
enum class NumberType { int32, int64, float32, float64 };

template <typename T>
constexpr NumberType numberType = std::is_same_v<T, int>         ? NumberType::int32
                                  : std::is_same_v<T, long long> ? NumberType::int64
                                  : std::is_same_v<T, float>     ? NumberType::float32
                                                                 : NumberType::float64;

class AllReduce {
 public:
  // Sets NCCL up for the first so many cards, which takes about a second; one alone needs none.
  // Throws Error (exitNoDevice) where there is no NCCL, or it fails. cards has to live as long.
  AllReduce(Cards& cards, unsigned count);
  ~AllReduce();
  AllReduce(const AllReduce&) = delete;
  AllReduce& operator=(const AllReduce&) = delete;

  unsigned count() const { return count_; }

  // From the work of Cards::run, on every card: combined[i] becomes, on each of them, what the
  // values[i] of all are combined to, when all launches before have ended. All of them in the
  // memory of their card. Only whole numbers, minima and maxima are combined alike whatever the
  // order, and sums of which all but one are 0.
  template <typename T>
  void join(unsigned card, const T* values, T* combined, size_t count, Combination how) {
    join(card, {values, combined, count, numberType<T>, how, true});
  }

  // The same for card 0 alone, which takes less time; combined of the others stays as it is.
  template <typename T>
  void joinOnFirst(unsigned card, const T* values, T* combined, size_t count, Combination how) {
    join(card, {values, combined, count, numberType<T>, how, false});
  }

  // "NCCL 2.28.9"; on the executor that it is stood in for.
  std::string name() const;

 private:
  struct Exchange {
    const void* values;
    void* combined;
    size_t count;
    NumberType type;
    Combination how;
    bool onAll;
  };
  void join(unsigned card, const Exchange& exchange);

  unsigned count_;
  struct Communicators;
  std::unique_ptr<Communicators> communicators_;
};
