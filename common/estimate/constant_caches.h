// The caches of constants of one multiprocessor: which have a line, and how long others wait for
// it.
#pragma once

#include <array>
#include <cstddef>
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
  // All lanes of a warp read one place, which the instruction or a register has. Returns when its
  // line is there; who waits until then asks again, as others may have pushed it out.
  double readUniform(uint32_t line, bool isIndexed, double now, std::size_t scheduler);
  double bringingUntil() const { return bringing_; }

  static constexpr uint64_t lineBytes = 64;

 private:
  double near_, far_, uniform_;  // cycles to bring a line
  double bringing_ = 0;          // until when some are on their way
  std::vector<uint32_t> lines_;  // the last that were read, the latest first
  std::set<uint32_t> pieces_;    // that memory has brought
  struct Line {
    uint32_t number = 0;
    double at = 0;  // when it is there
  };
  std::array<std::vector<Line>, 8> ofCode_;  // of each scheduler, the latest first
  std::vector<Line> indexed_;
  double uniformBusy_ = 0;
};

}  // namespace estimate
