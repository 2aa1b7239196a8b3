// Races: two threads touch the same bytes, one of them writes, and nothing orders them.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/device/primitives.h"
#include "simt/find/block_accesses.h"
#include "simt/hardware/requests.h"
#include "simt/threads/thread.h"

namespace simt {

void beginBlockAccesses(uint32_t number);
void forgetBlockAccesses();  // what the block did comes before all that follows

// Looks an access up against what other threads of the block did, then records it. Loads may be
// looked up later, see deferred_loads.h.
struct Conflict;
void lookUp(const Conflict& access, const AccessRecord& record, bool isShared);
void checkRaces(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                Scope scope, bool isShared);
// The same for a store of a word where it is aligned. False, and nothing is done, where another
// thread has touched the word since all met: then it is to be looked up.
bool recordStore(Thread& self, uintptr_t address, const void* pc, bool isShared);
// The last write is done now.
void settlePendingWrites();

// __syncwarp by these lanes of a warp: what they did before is ordered before what they do next.
void laneOrder(unsigned warp, unsigned mask);
void orderAllThreads();  // the same for __syncthreads
// An atomic that is about to happen: a release, an acquisition, both or neither.
struct AtomicEffect {
  bool writes;
  const void* takesLock;  // the instruction, where the thread goes on because it has succeeded
  bool reads = true;      // or the thread sees nothing of what was there
};
void orderByAtomic(const void* address, const AtomicEffect& effect, MemoryOrder order, Scope scope);

}  // namespace simt
