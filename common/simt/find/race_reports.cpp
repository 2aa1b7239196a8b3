#include "simt/find/race_reports.h"

#include <cstring>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/searched_block.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/paths/sites.h"

namespace simt {
namespace {

// Adds the race of two threads of the running block.
void add(Fault::Kind kind, const AccessRecord& earlier, Access earlierKind, const Conflict& now,
         const std::string& remark) {
  SearchedBlock& block = runningSearch();
  const void* const first = pcOf(earlier.site());
  FaultLog& faults = launchNow().faults;
  const Thread& other = block.threads[earlier.thread()];
  const bool sameWarp = other.warp() == now.self->warp();
  if (faults.has(kind, first, now.pc, sameWarp)) return;
  const bool shared = sharedRange().contains(now.address);
  const ArrayElement place = elementAt(now.address, now.size);
  Fault fault = makeFault(kind,
                          std::string("race in ") + (shared ? "shared" : "global") + " memory on " +
                              place.element() + ": " + threadName(other) + " " + verb(earlierKind) +
                              " it" + at(first) + ", " + threadName(*now.self) + " " +
                              verb(now.kind) + " it" + at(now.pc) +
                              (sameWarp ? ", same warp, with no __syncwarp or __syncthreads between"
                                        : ", with no __syncthreads between") +
                              remark,
                          {&other, now.self}, {first, now.pc});
  fault.array = place.array;
  fault.index = place.index;
  const void* guess = nullptr;
  if (earlierKind == Access::atomic && now.kind == Access::load) guess = now.pc;
  if (earlierKind == Access::load && now.kind == Access::atomic) guess = first;
  const VolatilePair pair{earlierKind, earlier.site(), now.kind, siteOf(now.pc)};
  faults.add(
      {std::move(fault), first, now.pc, now.address, guess, sameWarp, pair.reading(now.address)});
}

}  // namespace

bool VolatilePair::isRelaxed() const {
  if (earlier == Access::atomic && now == Access::atomic) return false;
  return (earlier == Access::atomic || isVolatile(earlierSite)) &&
         (now == Access::atomic || isVolatile(nowSite));
}

const void* VolatilePair::reading(uintptr_t address) const {
  if (!isRelaxed()) return nullptr;
  if (now == Access::load) return pcOf(nowSite);
  if (earlier == Access::load) return pcOf(earlierSite);
  return reinterpret_cast<const void*>(address);
}

bool isNoRace(const VolatilePair& pair, bool sameWarp, uintptr_t address) {
  if (!pair.isRelaxed() || sharedRange().contains(address)) return false;
  if (!sameWarp) return true;
  constexpr size_t widest = 8;  // bytes of a flag
  const Array* const array = findArray(address);
  return array && array->end - array->begin <= widest;
}

Fault missingFence(const std::string& who, const Conflict& now, const std::string& other,
                   const void* earlier, const void* lock) {
  const ArrayElement place = elementAt(now.address, now.size);
  Fault fault = makeFault(
      Fault::Kind::missingFence,
      who + " " + verb(now.kind) + " " + place.element() + at(now.pc) +
          " with a lock that it took" + at(lock) + ", and no __threadfence() between: what " +
          other + " did there" + at(earlier) +
          " with the lock in its hands may not be seen yet, though it is on the GPUs there are",
      {}, {lock, now.pc});
  if (now.self) fault.threads = {dim3(now.self->index)};
  fault.array = place.array;
  fault.index = place.index;
  return fault;
}

void reportRace(const AccessRecord& earlier, Access earlierKind, const Conflict& now) {
  const bool sameWarp = earlier.thread() / warpWidth == now.self->warp();
  if (isNoRace({earlierKind, earlier.site(), now.kind, siteOf(now.pc)}, sameWarp, now.address))
    return;
  FaultLog& faults = launchNow().faults;
  faults.supersedeUnwritten(now.address);
  if (earlierKind != Access::store || now.kind != Access::store)
    return add(Fault::Kind::race, earlier, earlierKind, now, "");
  if (faults.has(Fault::Kind::race, pcOf(earlier.site()), now.pc, sameWarp)) return;
  PendingWrite write{now.self, now.address, now.size, 0, earlier, now.pc};
  std::memcpy(&write.old, reinterpret_cast<const void*>(now.address), now.size);
  runningSearch().accesses.pending.push_back(write);
  runningSearch().unsettled = true;
}

void reportUnfenced(const AccessRecord& earlier, const Conflict& now, const void* lock) {
  SearchedBlock& block = runningSearch();
  FaultLog& faults = launchNow().faults;
  if (faults.has(Fault::Kind::missingFence, lock, nullptr)) return;
  const Thread& other = block.threads[earlier.thread()];
  faults.add(
      {missingFence(threadName(*now.self), now, threadName(other), pcOf(earlier.site()), lock),
       lock, nullptr, now.address});
}

void reportWrites(const PendingWrite& write, bool same) {
  const Conflict now{write.self, write.address, write.size, Access::store, write.pc};
  if (same)
    add(Fault::Kind::benignRace, write.earlier, Access::store, now,
        ": both write the same value, which does no harm on the GPUs there are");
  else
    add(Fault::Kind::race, write.earlier, Access::store, now, "");
}

void noteCheckedGuesses(const Thread& self, uintptr_t address) {
  if (self.history->loadsOf != runningSearch().accesses.firstEpoch) return;
  for (const RecentLoad& load : self.history->recentLoads)
    if (load.address == address) launchNow().faults.addCheckedRead(load.pc);
}

}  // namespace simt
