// What the threads of one block did to memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simt/memory/shadow.h"
#include "simt/threads/thread.h"

namespace simt {

// What a thread did to a unit of memory. Epochs count upwards while a block runs: a barrier, a
// __syncwarp and a fence each end one.
struct AccessRecord {
  uint32_t epoch = 0;  // 0: none
  uint32_t who = 0;    // the thread, a bit (see below), the instruction

  AccessRecord() = default;
  AccessRecord(uint32_t epoch_, unsigned thread, bool blockScope, uint32_t site)
      : epoch(epoch_), who(thread | uint32_t(blockScope) << threadBits | site << siteShift) {}
  unsigned thread() const { return who % maxThreads; }
  // Of an atomic: it is for its block only. Of a write: its thread has made an atomic there before.
  bool blockScope() const { return who >> threadBits & 1; }
  bool afterOwnAtomic() const { return blockScope(); }
  void setAfterOwnAtomic() { who |= uint32_t(1) << threadBits; }
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
  void putWrite(size_t unit, AccessRecord record) {
    for (const Slot slot : {firstAtomic, secondAtomic}) {
      if (newest[slot] == 0) continue;
      const AccessRecord& atomic = *find(slot, unit);
      if (atomic.epoch != 0 && atomic.thread() == record.thread()) record.setAfterOwnAtomic();
    }
    put(lastWrite, unit, record);
  }
};

// A write to what another thread has written: whether both wrote the same shows when it is done.
struct PendingWrite {
  const Thread* self;
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

}  // namespace simt
