#include "explore/passes.h"

#include "simt/hardware/requests.h"

std::vector<unsigned> passesOf(const simt::Trace& trace, const simt::TraceStep& step) {
  uint64_t accesses[simt::warpWidth] = {};
  const auto takesPart = [&](unsigned lane) { return (step.lanes >> lane & 1) != 0; };
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane)
    if (takesPart(lane)) accesses[lane] = simt::packAccess(trace.address(step, lane), step.bytes);
  unsigned passes[simt::warpWidth];
  simt::bankConflictsOf(step.lanes, accesses, passes);
  std::vector<unsigned> all;
  for (unsigned lane = 0; lane < simt::warpWidth; ++lane)
    if (takesPart(lane)) all.push_back(passes[lane]);
  return all;
}
