// What a trace says that the executor also counts.
#pragma once

#include <algorithm>
#include <map>

#include "simt/hardware/counters.h"
#include "simt/observe/trace.h"

inline simt::Counters countersOf(const simt::Trace& trace) {
  using Kind = simt::TraceStep::Kind;
  simt::Counters c;
  std::map<std::pair<uint32_t, uint16_t>, uint64_t> barriersOf;  // by block and warp
  for (const simt::TraceStep& step : trace.steps) {
    c += simt::countedAt(step);
    c.divergent_branches += step.isBranch;
    if (step.kind == Kind::blockBarrier || step.kind == Kind::gridBarrier)
      ++barriersOf[{step.block, step.warp}];
  }
  std::map<uint32_t, uint64_t> ofBlock;
  for (const auto& [warp, barriers] : barriersOf)
    ofBlock[warp.first] = std::max(ofBlock[warp.first], barriers);
  for (const auto& [block, barriers] : ofBlock) c.barriers += barriers;
  return c;
}
