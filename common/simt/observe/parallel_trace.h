// What worker processes have traced of the blocks that they ran, for parallel_blocks.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "simt/observe/trace.h"

namespace simt {

// Writes a worker's trace to a file: with each of its blocks, the block's position in the order in
// which the launch runs them. False when it could not be written.
bool sendTrace(int file, const Trace& trace, const std::vector<size_t>& positions);

// Appends what all workers have written to the trace that is asked for, in the order of the launch.
void takeOverTraces(const std::vector<int>& files);

}  // namespace simt
