// Branches at which the lanes of a warp part.
#pragma once

#include <cstdint>

#include "simt/thread.h"

namespace simt {

void enterBasicBlock(Thread& thread, const void* pc);

// Counts the branches at which the warp's lanes parted since they last met.
void closeTraces(unsigned warp);
void forgetTraces();

}  // namespace simt
