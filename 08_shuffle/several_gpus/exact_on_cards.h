// The exact sum of an array that several GPUs share: each leaves that of its slice as a whole
// number in limbs, NCCL adds the limbs, and the host rounds once.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "../floating_point/exact_sum.h"
#include "multi_gpu/all_reduce.h"
#include "multi_gpu/repeated_input.h"
#include "multi_gpu/slices.h"

// As SumOnCards, but of any slices: the sum is the same however the array is divided.
template <typename T>
class ExactSumOnCards {
 public:
  // n elements of the input. Cards and all-reduce have to live as long.
  ExactSumOnCards(Cards& cards, AllReduce& allReduce, const RepeatedInput<T>& input, size_t n)
      : cards_(cards), allReduce_(allReduce), parts_(allReduce.count()), fetched_(1) {
    cards_.run(allReduce.count(), [&](unsigned card) {
      parts_[card] = std::make_unique<Part>(sliceOf(n, card, allReduce_.count()), input);
    });
    for (unsigned card = 0; card < allReduce.count(); ++card)
      blocks_ += ExactSum<T>::gridFor(sliceOf(n, card, allReduce.count()).count);
  }

  uint64_t blocks() const { return blocks_; }

  void poison() {
    cards_.run(allReduce_.count(), [this](unsigned card) {
      parts_[card]->own.poison();
      parts_[card]->combined.poison();
    });
  }

  // The whole sum but for its rounding: it ends when the limbs are on the host. Those of a card
  // have 32 bits in integers of 64, so nothing is lost when they are added.
  void run() {
    const unsigned gpus = allReduce_.count();
    cards_.run(
        gpus,
        [this, gpus](unsigned card) {
          Part& part = *parts_[card];
          cards_.mark(card, 0);
          part.exactSum.number(part.data.data(), part.slice.count, part.own.data());
          cards_.mark(card, 1);
          if (gpus > 1)
            allReduce_.joinOnFirst(card, limbsOf(part.own), limbsOf(part.combined),
                                   WideNumber<T>::size, Combination::sum);
          cards_.mark(card, 2);
        },
        [this, gpus](unsigned card) {
          Part& part = *parts_[card];
          if (card == 0)
            copyToHostLater(fetched_.data(), (gpus > 1 ? part.combined : part.own).data(), 1);
        },
        "the exact sum");
  }

  // Gives the number to every process.
  void fetch() { cards_.shareOfCard0(fetched_.data(), 1); }

  // What the last run found, after fetch().
  T total() const {
    WideNumber<T> number = *fetched_.data();
    return rounded(number);
  }

 private:
  // What one card has.
  struct Part {
    Part(Slice slice_, const RepeatedInput<T>& input)
        : slice(slice_),
          data(slice.count, "a slice"),
          own(1, "the slice's sum"),
          combined(1, "the sum of all slices") {
      DeviceArray<T> pattern(input.values().size(), "the input's values");
      pattern.copyFromHost(input.values().data());
      input.fill(data.data(), slice.begin, slice.count, pattern);
    }
    Slice slice;
    DeviceArray<T> data;
    ExactSum<T> exactSum;
    DeviceArray<WideNumber<T>> own, combined;
  };

  static long long* limbsOf(DeviceArray<WideNumber<T>>& number) {
    return reinterpret_cast<long long*>(number.data());
  }

  Cards& cards_;
  AllReduce& allReduce_;
  std::vector<std::unique_ptr<Part>> parts_;
  HostArray<WideNumber<T>> fetched_;
  uint64_t blocks_ = 0;
};

// The exact sum of the first n elements, by the CPU alone.
template <typename T>
T exactSumOf(const RepeatedInput<T>& input, size_t n) {
  WideNumber<T> number = {};
  uint64_t terms = 0;
  input.visit(n, [&](T value, size_t times) {
    for (; times > 0; times -= std::min<size_t>(times, 512)) {
      addElement(number, value, unsigned(std::min<size_t>(times, 512)));
      if (++terms % (mostTerms / 2) == 0) carry(number);
    }
  });
  return rounded(number);
}
