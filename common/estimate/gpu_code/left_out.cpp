#include "estimate/gpu_code/left_out.h"

namespace estimate::gpu_code {

void LeftOut::note(uint64_t address, size_t bytes, uint64_t before, uint64_t after, bool adds) {
  if (run_ > 1 && !tallies_.contains(address)) return;  // not all blocks have added to it
  Tally& tally = tallies_[address];
  tally.bytes = bytes;
  tally.ofBlock += after - before;
  tally.isEqual &= adds;
}

void LeftOut::countBefore(uint64_t number) {
  if (number > run_ + leftOut_) leftOut_ = number - run_;
  for (auto& [address, tally] : tallies_) {
    if (tally.blocks == 0) tally.ofEach = tally.ofBlock;
    tally.isEqual &= tally.ofBlock == tally.ofEach && ++tally.blocks == run_;
    tally.ofBlock = 0;
    if (!tally.isEqual) continue;
    uint64_t now = 0;
    memory_.read(address, &now, tally.bytes);  // the low bytes come first
    now += tally.ofEach * (leftOut_ - tally.leftOut);
    memory_.write(address, &now, tally.bytes);
    tally.leftOut = leftOut_;
  }
  std::erase_if(tallies_, [](const auto& each) { return !each.second.isEqual; });
  ++run_;
}

}  // namespace estimate::gpu_code
