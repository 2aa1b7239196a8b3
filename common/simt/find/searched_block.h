// What is looked for in the running block, and what was found.
#pragma once

#include <optional>

#include "simt/find/block_accesses.h"
#include "simt/find/fault_log.h"
#include "simt/observe/observed_block.h"

namespace simt {

struct SearchedBlock : ObservedBlock {
  bool findFaults = true;
  bool besideOthers = false;  // it takes turns with other blocks
  BlockAccesses accesses;
  FaultLog faults;
  uint64_t idleTurns = 0, idleBasicBlocks = 0;  // since noteProgress()
  uint64_t idleTimes = 0;                       // how often others were let run for it
  uint64_t changesSeen = 0;                     // of those that noteChange() counts
  uint64_t polls = 0;                           // long turns of threads that may wait for others
  bool someoneComputes = false;                 // since then, for long and without an atomic
  double impatientSince = 0;                    // seconds, or 0
  uint64_t rounds = 0, roundsOfNextWindow = 0;  // for repetition.cpp
  bool waitsForBlocks = false;                  // perhaps: lets others go on
  uint64_t turns = 0;                           // as Settings::mostTurns counts them
  std::optional<Fault> fault;                   // the one that ends the launch
};
inline SearchedBlock& runningSearch() { return static_cast<SearchedBlock&>(runningThreads()); }

}  // namespace simt
