// How many other places were touched since one was touched last, each counted once: what a cache
// that drops the oldest has to keep until then.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "estimate/place_table.h"

namespace estimate::gpu_code {

class Distances {
 public:
  bool isEmpty() const { return sums_.size() == 1; }

  // None for a place that is new. It counts this much for others.
  std::optional<double> touch(uint64_t place, double weight = 1) {
    const auto now = uint32_t(sums_.size());
    const auto [last, isNew] = last_.tryEmplace(place, {now, weight});
    std::optional<double> distance;
    if (!isNew) distance = upTo(now - 1) - upTo(last.at);
    if (!isNew)
      for (uint32_t i = last.at; i < now; i += i & -i) sums_[i] -= last.weight;
    last = {now, weight};
    sums_.push_back(weight + upTo(now - 1) - upTo(now - (now & -now)));
    return distance;
  }

 private:
  struct Last {
    uint32_t at = 0;
    double weight = 0;
  };
  // Of the places whose last touch is among the first so many.
  double upTo(uint32_t touches) const {
    double sum = 0;
    for (uint32_t i = touches; i > 0; i -= i & -i) sum += sums_[i];
    return sum;
  }

  PlaceTable<Last> last_;
  std::vector<double> sums_ = {0};  // of weights, by the last touch of each place: a Fenwick tree
};

}  // namespace estimate::gpu_code
