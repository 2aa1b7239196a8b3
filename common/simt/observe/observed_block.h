// The running block with its trace.
#pragma once

#include "simt/observe/tracer.h"
#include "simt/paths/path_block.h"

namespace simt {

struct ObservedBlock : PathBlock {
  Tracer trace;
};
inline ObservedBlock& runningObserved() { return static_cast<ObservedBlock&>(runningThreads()); }

}  // namespace simt
