// A block that spins waits for another one: then the blocks of an ordinary launch run side by side,
// too, until it goes on. Some of them at a time, as a GPU has room for so many.
#pragma once

#include <cstdint>
#include <functional>

#include "simt/run/running_launch.h"

namespace simt {

// Runs the blocks of Launch::order by runOne, one after the other, until a fault, or until restRan,
// which is asked before each one with how many have ended, says that it has run the rest. Another
// block may run while runOne does.
void runInTurns(Launch& launch, Block& block, void (*runOne)(uint64_t number),
                const std::function<bool(uint64_t ended)>& restRan);

// Called by the block's scheduler: lets others go on.
void letOtherBlocksRun();

}  // namespace simt
