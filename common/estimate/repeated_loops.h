// Long loops, which are listed in part.
#pragma once

#include "estimate/warp_program.h"

namespace estimate {

// Lists a loop with very many turns in part, where all warps of the block make it alike.
void foldLoops(Block& block);

}  // namespace estimate
