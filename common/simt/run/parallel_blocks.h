// The blocks of one launch on several cores. Worker processes, forked from this one, run some
// blocks each and work on one copy of the arrays. Where a block may have seen what another did, all
// of that is dropped, and the blocks run one after the other: results, counts and faults never
// depend on the number of cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "simt/run/running_launch.h"

namespace simt {

// How many processes a launch of so many blocks may use: Settings::workers, or the cores there are.
unsigned workersFor(uint64_t blocks);

// The time that worker processes have taken on their cores, all that have ended.
double secondsOfWorkers();

// Blocks of which nothing is counted, traced or looked for, and which nobody watches. In this
// order, or in any and several at a time: then none may use atomics of global memory, fences, or
// variables of the host. One that takes more than so many seconds gives up.
struct PlainBlocks {
  std::span<const uint64_t> blocks;
  void (*runOne)(uint64_t number);
  bool inOrder;
  double mostSeconds;
  const char*& why;  // it gave up, where known
};
// Where it is not done, nothing has happened: for a block did what dependent ones do, or what may
// not be left unwatched.
enum class PlainRun { done, dependent, failed };
PlainRun runPlain(const PlainBlocks& plain, unsigned workers,
                  const std::function<void(uint64_t blocks)>& ended);

// Runs these blocks, in this order within each process, and calls ended with how many have. False:
// nothing has happened, and they are to run here.
bool runInWorkers(Launch& launch, std::span<const uint64_t> blocks, unsigned workers,
                  void (*runOne)(uint64_t number),
                  const std::function<void(uint64_t blocks)>& ended);

}  // namespace simt
