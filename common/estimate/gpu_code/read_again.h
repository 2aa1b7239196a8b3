// What of the lines that loads and stores touch a warp had before, and how much it asked for since;
// and which lines blocks all over the grid touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "estimate/place_table.h"
#include "estimate/warp_program.h"

namespace estimate::gpu_code {

class ReadAgain {
 public:
  void blockBegins(uint64_t number);
  // A load or a store of the block's, by its warp and place there, and the lines that it touches.
  void note(uint32_t warp, uint32_t place, bool isLoad, std::span<const uint64_t> lines);
  // haveMet: its warps did at a barrier, and so stay side by side.
  void blockEnds(bool haveMet);
  // Into the operations of the launch.
  void finish(Launch& launch);

 private:
  struct Request {
    uint32_t block, warp, place, count;
  };
  struct Touched {
    uint64_t line;
    float since;
    uint8_t warps = 1;
  };
  struct Requests {
    std::vector<Request> all;
    std::vector<Touched> lines;  // count of each, one after the other
  };

  Requests ofBlock_, kept_;           // all of the block's; of all blocks, what matters
  PlaceTable<uint32_t> warpsOfLine_;  // of the block: a bit for each
  struct Runs {                       // of neighbours among the blocks: how many touch a line
    uint32_t count = 0, last = 0;
    uint32_t blocks = 0, lastBlock = 0;  // and how many blocks
    bool areMany() const;
  };
  PlaceTable<Runs> runsOfLine_;
  uint32_t block_ = 0, runs_ = 0;
  uint64_t number_ = 0;
  double commonLines_ = 0;
};

}  // namespace estimate::gpu_code
