// Races put into words, and those told apart that lose nothing.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>

#include "simt/find/block_accesses.h"
#include "simt/find/fault.h"
#include "simt/hardware/requests.h"
#include "simt/threads/thread.h"

namespace simt {

// An access to one unit of memory that conflicts with an earlier one.
struct Conflict {
  const Thread* self;
  uintptr_t address;
  unsigned size;
  Access kind;
  const void* pc;
};

// The fault of a thread that has taken a lock: who and other are names of threads.
Fault missingFence(const std::string& who, const Conflict& now, const std::string& other,
                   const void* earlier, const void* lock);

// Two unordered accesses, at these sites.
struct VolatilePair {
  Access earlier;
  uint32_t earlierSite;
  Access now;
  uint32_t nowSite;

  bool isRelaxed() const;  // each is volatile or an atomic, and they are not both atomics
  // For FaultLog::Entry; null, where they are not relaxed.
  const void* reading(uintptr_t address) const;
};
// Whether they are no race, by what is known when the second one happens: in global memory, of
// threads of different warps, or where the array is nothing but a flag. Of others, who asks again
// and again for what the other one writes waits for it: the log knows at the end of the launch.
bool isNoRace(const VolatilePair& pair, bool sameWarp, uintptr_t address);

// Two threads of the running block. Two plain writes are reported when the second one is done.
void reportRace(const AccessRecord& earlier, Access earlierKind, const Conflict& now);
// Ordered by nothing but a lock that the thread has taken by this instruction, without a fence.
void reportUnfenced(const AccessRecord& earlier, const Conflict& now, const void* lock);
void reportWrites(const PendingWrite& write, bool same);

// A read that comes right before an atomic of the same thread on the same address is a guess that
// the atomic checks.
void noteCheckedGuesses(const Thread& self, uintptr_t address);
inline void noteLoad(Thread& self, uint32_t firstEpoch, uintptr_t address, const void* pc) {
  ThreadHistory& history = *self.history;
  if (history.loadsOf != firstEpoch) {
    for (RecentLoad& load : history.recentLoads) load = {};
    history.loadsOf = firstEpoch;
  }
  history.recentLoads[history.nextLoad++ % std::size(history.recentLoads)] = {address, pc};
}

}  // namespace simt
