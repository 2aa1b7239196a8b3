// One multiprocessor at work: blocks come and go, four schedulers issue for their warps, and what
// the warps ask of memory goes through queues. Time passes in cycles; nothing here is random.
#pragma once

#include <cstdint>
#include <vector>

#include "estimate/card.h"
#include "estimate/wait.h"
#include "estimate/warp_program.h"

namespace estimate {

// Costs that can be left out, to see what they are worth.
struct WhatIf {
  bool noBankConflicts = false;
  bool freeBarriers = false;  // a barrier opens at once for each warp
  bool perfectL2 = false;     // what comes from memory is in L2 already
};

// How the multiprocessor is set up for a launch.
struct Setup {
  unsigned residentBlocks = 1;
  double residentWarps = 1, warpsOfBlock = 1;  // the first on average
  double activeMultiprocessors = 1;            // that share the memory
  bool writesReachMemory = true;               // false: what the launch writes stays in L2
  bool allAtOnce = false;                      // all blocks are resident together
  double atomicUnits = 1;                      // of L2 that the launch's atomics are spread over
  double unitsOfAll = 1;                       // likewise, what all blocks store to the same places
  double l1Lines = 0;                          // of 128 bytes, that L1 has room for
  WhatIf whatIf = {};
  const std::vector<uint32_t>* constantLines = nullptr;  // as in Launch, if it has any
  bool timeline = false;
  double timelineTo = 1e5;  // cycles: what begins later is left out of the timeline
};

struct Interval {
  uint32_t warp = 0;   // its place: block's place × warps of a block + its number
  uint32_t block = 0;  // in the order in which the blocks started
  double begin = 0, end = 0;
  Wait wait = Wait::issuing;
  uint32_t source = 0;  // place in Launch::sources
};

// What happened, in cycles.
struct Run {
  double cycles = 0;             // until the last block ended
  std::vector<double> ends;      // of the blocks, in the order in which they ended
  double endOfFirst = 0;         // of the first of them
  double instructions = 0;       // that were issued, of warps
  WaitTimes warpCycles = {};     // of all places for warps, over all cycles
  std::vector<WaitTimes> lines;  // by place in Launch::sources: what warps waited for there
  std::vector<Interval> timeline;
};

// Runs the blocks in their order, as many at a time as are resident. sources: how many places
// Launch::sources has. The blocks need not outlive the call.
Run runMultiprocessor(const std::vector<const Block*>& blocks, size_t sources, const Card& card,
                      const Setup& setup);

}  // namespace estimate
