// The times at which repetition.h compares what a block's threads can see with what it was before.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace simt {

constexpr uint64_t roundsOfFirstWindow = 4096;

struct StateWindow {
  bool open = false;
  uint64_t roundsLeft = 0;
  uint64_t state = 0, age = 0, nextAge = 1;        // what was remembered, and when it will be anew
  std::unordered_map<uintptr_t, uint64_t> memory;  // what words written since then held
};

// The running block's, and that of all blocks that run side by side.
struct StateWindows {
  StateWindow ofBlock, ofAll;
  bool someOpen = false;
  uint64_t jointRounds = 0, jointRoundsOfNextWindow = roundsOfFirstWindow;

  void close(StateWindow& window) {
    window.open = false;
    someOpen = ofBlock.open || ofAll.open;
  }
};

}  // namespace simt
