// Races: two threads touch the same bytes, one of them writes, and nothing orders them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simt/device/primitives.h"
#include "simt/hardware/requests.h"
#include "simt/memory/shadow.h"
#include "simt/threads/thread.h"

namespace simt {

// What a thread did to a unit of memory. Epochs count upwards while a block runs: a barrier, a
// __syncwarp and a fence each end one.
struct AccessRecord {
  uint32_t epoch = 0;  // 0: none
  uint32_t who = 0;    // the thread, whether it is an atomic for its block only, the instruction

  AccessRecord() = default;
  AccessRecord(uint32_t epoch_, unsigned thread, bool blockScope, uint32_t site)
      : epoch(epoch_), who(thread | uint32_t(blockScope) << threadBits | site << siteShift) {}
  unsigned thread() const { return who % maxThreads; }
  bool blockScope() const { return who >> threadBits & 1; }
  uint32_t site() const { return who >> siteShift; }

 private:
  static constexpr unsigned threadBits = 10, siteShift = threadBits + 1;
  static_assert(maxThreads == 1u << threadBits);
};

// What the threads of one block did.
struct BlockPage : ShadowPage<AccessRecord> {
  using ShadowPage::ShadowPage;
  uint32_t newest[slotCount] = {};  // the last epoch that a slot has a record of

  // Once the block is done, for block_races.cpp: its number, and what its writes left.
  uint32_t block = 0;
  std::unique_ptr<char[]> values;

  void put(Slot slot, size_t unit, const AccessRecord& record) {
    at(slot, unit) = record;
    newest[slot] = record.epoch;
  }
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
  Shadow<BlockPage> global;    // of this block alone
  Shadow<BlockPage> shared;    // may have records of earlier blocks
  uint32_t number = 0;         // of the block, within the launch
  uint32_t epoch = 1;          // that of what happens now
  uint32_t firstEpoch = 1;     // what is from before belongs to earlier blocks
  uint32_t lastFence = 0;      // of any thread
  uint32_t barrierEpoch = 0;   // records up to here are ordered: by a block barrier, or from before
  bool sharedBytes = false;    // some shared memory was accessed in pieces smaller than a word
  size_t mostRoom = SIZE_MAX;  // bytes of records
  std::vector<PendingWrite> pending;

  bool hasFenced(const Thread& thread) const { return thread.history->fence.epoch >= firstEpoch; }
};

// Instructions by small numbers that fit a record; 0 for those beyond some two millions.
uint32_t siteOf(const void* pc);
const void* pcOf(uint32_t site);

void beginBlockAccesses(uint32_t number);
void forgetBlockAccesses();  // what the block did comes before all that follows

// Looks an access up against what other threads of the block did, then records it. Loads may be
// looked up later, see deferred_loads.h.
struct Conflict;
void lookUp(const Conflict& access, const AccessRecord& record, bool isShared);
void checkRaces(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                Scope scope, bool isShared);
// Where there are too many records, the block's so far are held against other blocks and forgotten.
void keepRoom();
// The last write is done now.
void settleWrites(std::vector<PendingWrite>& pending);

// __syncwarp by these lanes of a warp: what they did before is ordered before what they do next.
void laneOrder(unsigned warp, unsigned mask);
void orderAllThreads();  // the same for __syncthreads
// An atomic that is about to happen: a release, an acquisition, both or neither.
struct AtomicEffect {
  bool writes;
  const void* takesLock;  // the instruction, where the thread goes on because it has succeeded
};
void orderByAtomic(const void* address, const AtomicEffect& effect, MemoryOrder order, Scope scope);

}  // namespace simt
