// Races: two threads touch the same bytes, one of them writes, and nothing orders them.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/access.h"
#include "simt/primitives.h"
#include "simt/shadow.h"
#include "simt/thread.h"

namespace simt {

// What a thread did to a unit of memory. Epochs count upwards while a block runs: a barrier, a
// __syncwarp and a fence each end one.
struct AccessRecord {
  uint32_t epoch = 0;  // 0: none
  int32_t site = 0;    // its instruction, see siteOf()
  uint16_t thread = 0;
  uint8_t blockScope = 0;  // an atomic for the threads of its block only
};

// A write to what another thread has written: whether both wrote the same shows when it is done.
struct PendingWrite {
  uintptr_t address;
  unsigned size;
  uint32_t old;
  AccessRecord earlier;
  const void* pc;
};

// The accesses of the block that runs.
struct BlockAccesses {
  Shadow<AccessRecord> shadow;
  uint32_t number = 0;        // of the block, within the launch
  uint32_t epoch = 1;         // that of what happens now
  uint32_t firstEpoch = 1;    // what is from before belongs to earlier blocks
  uint32_t lastFence = 0;     // of any thread
  uint32_t barrierEpoch = 0;  // records up to here are ordered: by a block barrier, or from before
  std::vector<PendingWrite> pending;

  bool ofThisBlock(const AccessRecord& r) const { return r.epoch >= firstEpoch; }
  bool hasFenced(const Thread& thread) const { return thread.history->fence.epoch >= firstEpoch; }
};

int32_t siteOf(const void* pc);  // fits a record
const void* pcOf(int32_t site);

void beginBlockAccesses(uint32_t number);
void forgetBlockAccesses();  // what the block did comes before all that follows
// Looks the access up against what other threads of the block did, then records it.
void checkRaces(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                Scope scope);
// The last write is done now.
void settleWrites(std::vector<PendingWrite>& pending);

// __syncwarp by these lanes of a warp: what they did before is ordered before what they do next.
void laneOrder(unsigned warp, unsigned mask);
void orderAllThreads();  // the same for __syncthreads
// An atomic that is about to happen: a release, an acquisition, both or neither.
void orderByAtomic(const void* address, bool writes, MemoryOrder order, Scope scope);

}  // namespace simt
