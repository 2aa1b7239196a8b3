// Counts a request: what it costs, by kind and by the memory that it goes to.
#pragma once

#include "simt/hardware/counters.h"
#include "simt/hardware/requests.h"
#include "simt/paths/path_block.h"

namespace simt {

void countRequest(const Request& request, Counters& counters);

// The lanes of the request that access shared memory.
uint32_t sharedLanesOf(const Request& request);

// Of the running block, into its counters.
struct RequestCounter final : Observer {
  void requests(unsigned /*warp*/, const Request& request) override {
    countRequest(request, runningPaths().counters);
  }
};

}  // namespace simt
