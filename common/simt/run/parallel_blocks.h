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

// Runs these blocks, in this order within each process, and calls ended with how many have. False:
// nothing has happened, and they are to run here.
bool runInWorkers(Launch& launch, std::span<const uint64_t> blocks, unsigned workers,
                  void (*runOne)(uint64_t number),
                  const std::function<void(uint64_t blocks)>& ended);

}  // namespace simt
