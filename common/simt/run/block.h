// The block that is running: the one object that holds all that changes while it runs.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "simt/find/race_search.h"
#include "simt/find/searched_block.h"
#include "simt/memory/arrays.h"
#include "simt/run/begun_copies.h"
#include "simt/run/recent_ranges.h"

namespace simt {

// The threads that wait for a block barrier, and the one for which the first of them waits.
struct Arrivals {
  unsigned count = 0;
  bool differ = false;  // not all of them wait for the same one
  int mode = 0, place = 0;
  uint32_t callHash = 0;
  const void* pc = nullptr;
  const Thread* first = nullptr;
};

// Two barriers by their instructions and calls, and the depth of these.
using TwoBarriers = std::tuple<const void*, uint32_t, const void*, uint32_t, unsigned>;

// A barrier that some threads of a block take part in (run/part_barriers.cpp).
struct PartBarrier {
  unsigned left = 0;  // of those expected in this phase
  unsigned expected = 0, dropped = 0, phase = 0;
  std::vector<Thread*> waiting;
};

struct Block : SearchedBlock {
  RaceSearch raceSearch;
  RecentRanges recentRanges;
  Arrivals atBarrier;
  std::vector<Thread*> passing;  // those that passed the last one
  std::map<TwoBarriers, bool> areSame;
  std::map<const void*, PartBarrier> partBarriers;
  char named[16];             // the addresses of bar.sync's
  Thread* arrived = nullptr;  // a thread with which a warp operation may be complete
  AsyncCopies asyncCopies;
  const void* exchangeWanted = nullptr;  // somebody uses what the next exchange takes from there
  SharedWrites sharedWrites;
  std::vector<char> asideMemory;  // what is in its shared memory, while another block runs
};
inline Block& runningBlock() { return static_cast<Block&>(runningThreads()); }

// From now on this OS thread runs that block; null for none.
void runOnThisOsThread(Block* block);

// A block that runs blocks of the launch, with a fiber for each thread. Blocks are kept for
// launches to come, for stacks are made once, and never destroyed: that would unwind fibers that
// wait in the midst of a kernel, and run what is left of it.
Block& takeBlock(SearchedLaunch& launch);
void giveBack(Block& block);

}  // namespace simt
