// What blocks that are left out of a launch would have added to counters of all blocks: as much as
// each that was run. So the last block of a grid knows that it is the last.
#pragma once

#include <cstdint>
#include <map>

#include "estimate/gpu_code/memory.h"

namespace estimate::gpu_code {

class LeftOut {
 public:
  explicit LeftOut(Memory& memory) : memory_(memory) {}
  // Before the block of this number: makes up for those between it and the one before.
  void countBefore(uint64_t number);
  // An atomic of the running block; adds: that it adds something.
  void note(uint64_t address, size_t bytes, uint64_t before, uint64_t after, bool adds);

 private:
  struct Tally {
    size_t bytes = 0;
    uint64_t ofBlock = 0;  // what the running block has added so far
    uint64_t ofEach = 0;   // what each before it has added
    uint64_t blocks = 0;   // that are known to have
    uint64_t leftOut = 0;  // that have been made up for
    bool isEqual = true;   // all have added the same
  };
  Memory& memory_;
  std::map<uint64_t, Tally> tallies_;
  uint64_t run_ = 0, leftOut_ = 0;
};

}  // namespace estimate::gpu_code
