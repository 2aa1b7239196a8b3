// The turns of a loop that a warp is in, kept until it leaves it: ptxas has those that are left
// over of the unrolled ones in front, and lanes that do not go round as often do others there.
#pragma once

#include <vector>

#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

class LoopTurns {
 public:
  // Whether the step is kept, to be listed when the loop is left.
  bool keeps(const Step& step);
  bool isIn() const { return !turns_.empty(); }
  // Of a loop that goes on for long, turns are listed as they come.
  bool isLong() const;
  bool goesOnWith(const Step& step) const { return step.block == block_; }

  struct Turn {
    bool isApart = false;
    std::vector<Step> steps;
  };
  // In the order of the GPU's code; the addresses are here until the next is asked for.
  std::vector<Turn> take();
  void leave() { block_ = nullptr; }

 private:
  struct Kept {
    Step step;
    std::vector<uint64_t> addresses;  // of memory
  };
  std::vector<std::vector<Kept>> turns_, taken_;
  const BasicBlock* block_ = nullptr;
  std::vector<std::vector<uint64_t>> mixed_;  // addresses of lanes that are in different turns
};

}  // namespace estimate::gpu_code
