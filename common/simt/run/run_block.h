// The scheduler of a block.
#pragma once

namespace simt {

// Runs all threads of the running block to their end, or until a fault.
void runBlock();

}  // namespace simt
