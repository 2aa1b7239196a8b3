// What the executor counts during a launch: totals over all blocks.
#pragma once

#include <cstdint>

// A request is one warp-level instruction with at least one active lane; a sector is a 32-byte
// piece of global memory. Conflicts are the extra passes through the 32 shared-memory banks.
struct Counters {
  uint64_t load_requests = 0, load_sectors = 0;
  uint64_t store_requests = 0, store_sectors = 0;
  uint64_t shared_load_requests = 0, shared_load_conflicts = 0;
  uint64_t shared_store_requests = 0, shared_store_conflicts = 0;
  uint64_t divergent_branches = 0;
  uint64_t barriers = 0;  // one for each time a whole block passes __syncthreads
  uint64_t shuffles = 0;  // warp-level instructions
  uint64_t atomics = 0;   // warp-level instructions
  uint64_t memory_lanes = 0, memory_requests = 0;

  // Average number of active lanes per memory request, from 0 (no requests) to 32.
  double activeLanes() const {
    return memory_requests == 0 ? 0.0 : double(memory_lanes) / double(memory_requests);
  }

  bool operator==(const Counters&) const = default;

  // combine(mine, other's) for each of them.
  template <typename Combine>
  Counters& forEach(const Counters& other, Combine combine) {
    for (const auto counter :
         {&Counters::load_requests, &Counters::load_sectors, &Counters::store_requests,
          &Counters::store_sectors, &Counters::shared_load_requests,
          &Counters::shared_load_conflicts, &Counters::shared_store_requests,
          &Counters::shared_store_conflicts, &Counters::divergent_branches, &Counters::barriers,
          &Counters::shuffles, &Counters::atomics, &Counters::memory_lanes,
          &Counters::memory_requests})
      combine(this->*counter, other.*counter);
    return *this;
  }
  Counters& operator+=(const Counters& other) {
    return forEach(other, [](uint64_t& mine, uint64_t others) { mine += others; });
  }
  Counters& operator-=(const Counters& other) {
    return forEach(other, [](uint64_t& mine, uint64_t others) { mine -= others; });
  }
};
