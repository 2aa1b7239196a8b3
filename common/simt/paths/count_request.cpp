#include "simt/paths/count_request.h"

#include <bit>

#include "simt/image/symbols.h"

namespace simt {

uint32_t sharedLanesOf(const Request& request) {
  const Range& shared = sharedRange();
  uint32_t found = 0;
  if (isContiguous(request.lanes, request.accesses)) {
    const bool first = shared.contains(addressOf(request.accesses[0]));
    if (first == shared.contains(addressOf(request.accesses[warpWidth - 1])))
      return first ? request.lanes : 0;
  }
  for (uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    found |= uint32_t(shared.contains(addressOf(request.accesses[lane]))) << lane;
  }
  return found;
}

void countRequest(const Request& request, Counters& counters) {
  counters.memory_lanes += unsigned(std::popcount(request.lanes));
  if (request.kind == Access::atomic) {
    ++counters.atomics;
    counters.atomic_conflicts += atomicConflictsOf(request.lanes, request.accesses);
    return;
  }
  const uint32_t shared = sharedLanesOf(request), global = request.lanes & ~shared;
  const bool load = request.kind == Access::load;
  if (global != 0) {
    ++(load ? counters.load_requests : counters.store_requests);
    (load ? counters.load_sectors : counters.store_sectors) += sectorsOf(global, request.accesses);
  }
  if (shared != 0) {
    ++(load ? counters.shared_load_requests : counters.shared_store_requests);
    (load ? counters.shared_load_conflicts : counters.shared_store_conflicts) +=
        bankConflictsOf(shared, request.accesses);
  }
}

}  // namespace simt
