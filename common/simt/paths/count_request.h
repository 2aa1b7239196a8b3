// Counts a request: what it costs, by kind and by the memory that it goes to.
#pragma once

#include "simt/hardware/counters.h"
#include "simt/hardware/requests.h"

namespace simt {

void countRequest(const Request& request, Counters& counters);

// The lanes of the request that access shared memory.
uint32_t sharedLanesOf(const Request& request);

}  // namespace simt
