// The passes that a request to shared memory takes through the banks, lane by lane.
#pragma once

#include <vector>

#include "simt/observe/trace.h"

// For each lane of the step, the lowest first: the pass that serves it, from 1. As many passes as
// the executor counted: the conflicts, and the fewest that accesses of this size need.
std::vector<unsigned> passesOf(const simt::Trace& trace, const simt::TraceStep& step);
