// What a trace says that the executor also counts.
#pragma once

#include <algorithm>
#include <bit>
#include <map>

#include "simt/observe/counters.h"
#include "simt/observe/trace.h"

inline simt::Counters countersOf(const simt::Trace& trace) {
  using Kind = simt::TraceStep::Kind;
  simt::Counters c;
  std::map<std::pair<uint32_t, uint16_t>, uint64_t> barriersOf;  // by block and warp
  for (const simt::TraceStep& step : trace.steps) {
    const bool shared = step.space == simt::MemorySpace::shared;
    const bool isAccess =
        step.kind == Kind::load || step.kind == Kind::store || step.kind == Kind::atomic;
    c.memory_lanes += isAccess ? unsigned(std::popcount(step.lanes)) : 0;
    c.divergent_branches += step.divergent;
    switch (step.kind) {
      case Kind::load:
        ++(shared ? c.shared_load_requests : c.load_requests);
        c.load_sectors += step.sectors;
        c.shared_load_conflicts += step.conflicts;
        break;
      case Kind::store:
        ++(shared ? c.shared_store_requests : c.store_requests);
        c.store_sectors += step.sectors;
        c.shared_store_conflicts += step.conflicts;
        break;
      case Kind::atomic:
        ++c.atomics;
        c.atomic_conflicts += step.conflicts;
        break;
      case Kind::shuffle: ++c.shuffles; break;
      case Kind::gridBarrier:
      case Kind::blockBarrier: ++barriersOf[{step.block, step.warp}]; break;
      default: break;
    }
  }
  std::map<uint32_t, uint64_t> ofBlock;
  for (const auto& [warp, barriers] : barriersOf)
    ofBlock[warp.first] = std::max(ofBlock[warp.first], barriers);
  for (const auto& [block, barriers] : ofBlock) c.barriers += barriers;
  return c;
}
