// The running block with its counts and its trace.
#pragma once

#include "simt/observe/tracer.h"
#include "simt/paths/count_request.h"
#include "simt/paths/path_block.h"

namespace simt {

struct ObservedBlock : PathBlock {
  RequestCounter requestCounter;
  Tracer trace;
  TracedLaunch& launch() const { return static_cast<TracedLaunch&>(*launch_); }
};

}  // namespace simt
