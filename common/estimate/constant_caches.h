// The caches of constants of one multiprocessor: which have a line, and how long others wait for
// it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace estimate {

class ConstantCaches {
 public:
  // share: of the multiprocessors, how many work; all read through one cache of a part of the GPU.
  explicit ConstantCaches(double share);

  // A warp reads one place, in this line. Returns how much later than others its next place comes,
  // and keeps lines on their way, one after the other.
  double read(uint32_t line, double now);
  double bringingUntil() const { return bringing_; }

  static constexpr uint64_t lineBytes = 64;

 private:
  double near_, far_;            // cycles to bring a line
  double bringing_ = 0;          // until when some are on their way
  std::vector<uint32_t> lines_;  // the last that were read, the latest first
  std::set<uint32_t> pieces_;    // that memory has brought
};

}  // namespace estimate
