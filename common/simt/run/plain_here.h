// Plain blocks of a launch in this process, one after the other: what short launches take, to which
// a worker process would cost more than it saves.
#pragma once

#include <cstdint>
#include <functional>

#include "simt/run/parallel_blocks.h"

namespace simt {

// Whether that can be: no other OS thread may meet the output and the code that are changed
// meanwhile, and a timer has to end what never ends.
bool mayRunPlainHere(const Launch& launch);
// What a copy of the arrays costs that is put back where the blocks give up.
double secondsToRunPlainHere();

// As runPlain() of parallel_blocks.h.
PlainRun runPlainHere(Launch& launch, const PlainBlocks& plain,
                      const std::function<void(uint64_t blocks)>& ended);

}  // namespace simt
