// Loads are held against what other threads did not when they happen but when the lanes of their
// warp meet, all lanes of a request at once. Before a thread does what orders its accesses (an
// atomic, a fence, a __syncwarp of some lanes), its own loads are looked up. So whatever was
// unordered with a load when it happened still is when it is looked up, and the other way round.
#pragma once

#include <cstdint>

#include "simt/hardware/requests.h"
#include "simt/paths/path_block.h"

namespace simt {

// The loads of a request.
void checkLoads(unsigned warp, const Request& request);

// Those of a thread's log that were not looked up yet.
void checkLoadsOf(Thread& thread);

}  // namespace simt
