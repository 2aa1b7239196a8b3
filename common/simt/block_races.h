// Races between blocks: what a block did to global memory, held against what others did.
#pragma once

#include <cstdint>

namespace simt {

void beginLaunchAccesses();
// The running block is done.
void checkAgainstOtherBlocks();

}  // namespace simt
