// Races: two threads of a block touch the same bytes, one of them writes, and nothing orders them.
#pragma once

#include <cstdint>

#include "simt/access.h"
#include "simt/epoch_table.h"
#include "simt/thread.h"

namespace simt {

// The accesses of the running block since its last block barrier, one slot for each 4-byte word:
// the last write and two reads and atomics, chosen by keep().
struct AccessRecord {
  uint16_t thread = 0;
  uint8_t bytes = 0;  // 0: none
  bool atomic = false;
  uint32_t clock = 0;
  const void* pc = nullptr;
};
struct WordAccesses {
  AccessRecord write, atomics[2], reads[2];
};
using RaceTable = EpochTable<WordAccesses>;  // by word

// Looks the access up against what other threads did to these words, then records it.
void checkRaces(const Thread& self, uintptr_t address, size_t size, Access kind, const void* pc);

// __syncwarp by these lanes of a warp: what they did before is ordered before what they do next.
void laneOrder(unsigned warp, unsigned mask);

}  // namespace simt
