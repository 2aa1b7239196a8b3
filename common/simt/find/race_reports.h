// Races put into words, and those told apart that lose nothing.
#pragma once

#include <cstdint>
#include <iterator>

#include "simt/find/races.h"
#include "simt/run/access.h"
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

// Two threads of the running block. Two plain writes are reported when the second one is done.
void reportRace(const AccessRecord& earlier, Access earlierKind, const Conflict& now);
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
