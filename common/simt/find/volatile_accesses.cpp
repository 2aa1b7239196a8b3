#include "simt/find/volatile_accesses.h"

#include <iterator>

#include "simt/find/races.h"
#include "simt/find/searched_block.h"
#include "simt/memory/arrays.h"
#include "simt/paths/sites.h"

namespace simt {
namespace {

bool isOwn(const Thread& self, const void* address) {
  return reinterpret_cast<uintptr_t>(address) - self.stackBegin < stackBytes;
}

// Whether the thread's last loads but one other are of the same place by the same instruction.
bool asksAgain(const Thread& self, uintptr_t address, const void* pc) {
  const ThreadHistory& history = *self.history;
  if (history.loadsOf != runningSearch().accesses.firstEpoch) return false;
  constexpr size_t loads = std::size(ThreadHistory().recentLoads);
  for (unsigned back = 1; back <= 2; ++back) {
    const RecentLoad& load = history.recentLoads[(history.nextLoad + loads - back) % loads];
    if (load.address == address && load.pc == pc) return true;
  }
  return false;
}

}  // namespace

void noteVolatileAccess(Thread& self, const void* address, Access kind, const void* pc) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (isOwn(self, address) || !runningSearch().findFaults) return;
  const Quiet quiet;
  const bool reads = kind == Access::load;
  noteVolatile(siteOf(pc));
  if (reads && !sharedRange().contains(at)) noteTalk();
  if (reads && asksAgain(self, at, pc)) launchNow().faults.addRepeatedRead(pc, address);
}

void orderByVolatile(const Thread& self, const void* address, Access kind) {
  if (isOwn(self, address)) return;
  const bool reads = kind == Access::load;
  orderByAtomic(address, {!reads, nullptr, reads}, MemoryOrder::relaxed, Scope::device);
}

void noteVolatileTalk(const void* address) {
  if (findArray(reinterpret_cast<uintptr_t>(address))) noteTalk();
}

}  // namespace simt
