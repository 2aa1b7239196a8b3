#include "simt/observe/trace.h"

#include <bit>

#include "simt/image/symbols.h"

namespace simt {

// ---- What a trace holds: the lanes' addresses (or source lanes), and then their values.

static unsigned placeAmong(uint32_t lanes, unsigned lane) {
  return unsigned(std::popcount(lanes & ((1u << lane) - 1)));
}

uint64_t Trace::address(const TraceStep& step, unsigned lane) const {
  return words[step.words + placeAmong(step.lanes, lane)];
}

uint64_t Trace::value(const TraceStep& step, unsigned lane) const {
  return words[step.words + unsigned(std::popcount(step.lanes)) + placeAmong(step.lanes, lane)];
}

unsigned Trace::sourceLane(const TraceStep& step, unsigned lane) const {
  return unsigned(address(step, lane));
}

bool Trace::hasValue(const TraceStep& step) {
  switch (step.kind) {
    case TraceStep::Kind::load:
    case TraceStep::Kind::store:
    case TraceStep::Kind::atomic: return step.bytes <= 8;
    case TraceStep::Kind::shuffle:
    case TraceStep::Kind::vote:
    case TraceStep::Kind::reduce: return true;
    default: return false;
  }
}

Counters countedAt(const TraceStep& step) {
  Counters c;
  const bool shared = step.space == MemorySpace::shared;
  switch (step.kind) {
    case TraceStep::Kind::load:
      (shared ? c.shared_load_requests : c.load_requests) = 1;
      (shared ? c.shared_load_conflicts : c.load_sectors) = shared ? step.conflicts : step.sectors;
      break;
    case TraceStep::Kind::store:
      (shared ? c.shared_store_requests : c.store_requests) = 1;
      (shared ? c.shared_store_conflicts : c.store_sectors) =
          shared ? step.conflicts : step.sectors;
      break;
    case TraceStep::Kind::atomic:
      c.atomics = 1;
      c.atomic_conflicts = step.conflicts;
      break;
    case TraceStep::Kind::shuffle: c.shuffles = 1; break;
    default: break;
  }
  if (c.memoryRequests() > 0) c.memory_lanes = unsigned(std::popcount(step.lanes));
  return c;
}

std::vector<std::string> sourcePathsOf(const std::vector<const void*>& pcs) {
  lookUpSources(pcs);
  std::vector<std::string> sources;
  for (const void* pc : pcs) sources.push_back(sourcePathOf(pc));
  return sources;
}

}  // namespace simt
