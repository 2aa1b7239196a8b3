#include "simt/find/races.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "simt/find/block_races.h"
#include "simt/find/race_reports.h"
#include "simt/find/searched_block.h"
#include "simt/find/watchdog.h"
#include "simt/memory/arrays.h"
#include "simt/paths/warp_log.h"

namespace simt {
namespace {

Moment momentOf(const BlockAccesses& accesses, uint32_t thread, uint32_t epoch) {
  return {accesses.number, thread, epoch};
}

// Whether the recorded access comes before what self does now, or is its own.
Ordering orderOf(const BlockAccesses& accesses, const AccessRecord& r, const Thread& self) {
  if (r.epoch <= accesses.barrierEpoch) return {true};
  const unsigned thread = r.thread();
  if (thread == self.rank) return {true};
  if (thread / warpWidth == self.warp() && r.epoch <= self.history->known[thread % warpWidth])
    return {true};
  return launchNow().syncOrder.order(momentOf(accesses, thread, r.epoch),
                                     momentOf(accesses, self.rank, accesses.epoch));
}
bool ordered(const BlockAccesses& accesses, const AccessRecord& r, const Thread& self) {
  return orderOf(accesses, r, self).ordered;
}

// Keeps two of the reads (or atomics) of a unit, chosen so that what conflicts with any of them
// conflicts with one that is kept: of two warps where there are two, for no access is ordered after
// both; else of two lanes.
void keep(BlockAccesses& accesses, BlockPage& page, Slot first, size_t unit,
          const AccessRecord& record, const Thread& self) {
  const auto replaceable = [&](const AccessRecord& r) {
    return r.epoch <= accesses.barrierEpoch || r.thread() == record.thread();
  };
  const AccessRecord one = page.at(first, unit);
  if (replaceable(one)) return page.put(first, unit, record);
  const AccessRecord two = page.at(Slot(first + 1), unit);
  const auto warpOf = [](const AccessRecord& r) { return r.thread() / warpWidth; };
  if (replaceable(two)) return page.put(Slot(first + 1), unit, record);
  if (warpOf(one) != warpOf(two)) return;
  const bool replacesFirst = warpOf(record) == warpOf(one) && ordered(accesses, one, self);
  page.put(replacesFirst ? first : Slot(first + 1), unit, record);
}

// One unit of a page: everything that the access may conflict with.
void checkUnit(BlockAccesses& accesses, BlockPage& page, size_t unit, const Conflict& access) {
  const auto look = [&](Slot slot, Access earlierKind) {
    if (page.newest[slot] <= accesses.barrierEpoch) return;
    const AccessRecord r = *page.find(slot, unit);
    const Ordering order = orderOf(accesses, r, *access.self);
    if (!order.ordered) reportRace(r, earlierKind, access);
    if (order.unfenced) reportUnfenced(r, access, order.unfenced);
  };
  look(lastWrite, Access::store);
  if (access.kind != Access::atomic) {
    look(firstAtomic, Access::atomic);
    look(secondAtomic, Access::atomic);
  }
  if (access.kind != Access::load) {
    look(firstRead, Access::load);
    look(secondRead, Access::load);
  }
}

// Whether no other thread has touched the unit since all threads met.
bool isUntouched(const BlockAccesses& accesses, const BlockPage& page, size_t unit,
                 const Thread& self) {
  for (unsigned slot = 0; slot < slotCount; ++slot) {
    if (page.newest[slot] <= accesses.barrierEpoch) continue;
    const AccessRecord& r = *page.find(Slot(slot), unit);
    if (r.epoch > accesses.barrierEpoch && r.thread() != self.rank) return false;
  }
  return true;
}

// Whether a write here races with another one, and will take its place.
bool replacesOther(const BlockAccesses& accesses, const BlockPage& page, const Conflict& access) {
  if (page.newest[lastWrite] <= accesses.barrierEpoch) return false;
  const uintptr_t end = std::min(access.address + access.size, page.begin() + page.bytes);
  for (size_t unit = page.unitOf(access.address); unit <= page.unitOf(end - 1); ++unit)
    if (!ordered(accesses, *page.find(lastWrite, unit), *access.self)) return true;
  return false;
}

}  // namespace

void forgetBlockAccesses() {
  BlockAccesses& accesses = runningSearch().accesses;
  accesses.global.clear();
  if (accesses.sharedBytes) accesses.shared.clear();
  accesses.sharedBytes = false;
  accesses.firstEpoch = ++accesses.epoch;
  accesses.barrierEpoch = accesses.firstEpoch - 1;
}

void beginBlockAccesses(uint32_t number) {
  BlockAccesses& accesses = runningSearch().accesses;
  const bool again = accesses.epoch > uint32_t(1) << 31;
  if (again) {
    accesses.epoch = accesses.lastFence = 0;
    accesses.shared.clear();
  }
  forgetBlockAccesses();
  accesses.number = number;
  accesses.mostRoom = launchNow().settings.roomForRecords / 3;
  accesses.pending.clear();
  if (!again) return;  // what threads know of earlier epochs is known to be old
  for (Thread& thread : runningSearch().allThreads()) {
    ThreadHistory& history = *thread.history;
    std::fill(std::begin(history.known), std::end(history.known), 0u);
    history.fence = {};
    history.loadsOf = 0;
  }
}

void lookUp(const Conflict& access, const AccessRecord& record, bool isShared) {
  BlockAccesses& accesses = runningSearch().accesses;
  Shadow<BlockPage>& shadow = isShared ? accesses.shared : accesses.global;
  Conflict piece = access;
  for (const uintptr_t end = access.address + access.size; piece.address < end;) {
    BlockPage& page = shadow.pageOf(piece.address);
    piece.size = unsigned(end - piece.address);
    // The thread's own loads were earlier: they race with what is about to be replaced.
    if (access.kind == Access::store && replacesOther(accesses, page, piece))
      lookUpLoadsOf(runningSearch().threads[access.self->rank]);
    if (piece.address % page.unitBytes() != 0 || end - piece.address < page.unitBytes()) {
      page.splitIntoBytes();
      accesses.sharedBytes = accesses.sharedBytes || isShared;
    }
    const size_t unit = page.unitOf(piece.address);
    piece.size = page.unitBytes();
    checkUnit(accesses, page, unit, piece);
    if (access.kind == Access::store)
      page.putWrite(unit, record);
    else
      keep(accesses, page, access.kind == Access::load ? firstRead : firstAtomic, unit, record,
           *access.self);
    piece.address += page.unitBytes();
  }
}

bool recordStore(Thread& self, uintptr_t address, const void* pc, bool isShared) {
  const Quiet quiet;
  keepRoom();
  BlockAccesses& accesses = runningSearch().accesses;
  BlockPage& page = (isShared ? accesses.shared : accesses.global).pageOf(address);
  const size_t unit = page.unitOf(address);
  if (page.unitBytes() != wordBytes || !isUntouched(accesses, page, unit, self)) return false;
  page.putWrite(unit, {accesses.epoch, self.rank, false, siteOf(pc)});
  return true;
}

void checkRaces(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                Scope scope, bool isShared) {
  const bool blockScope = kind == Access::atomic && scope == Scope::block;
  if (kind == Access::load)
    return noteLoad(self, runningSearch().accesses.firstEpoch, address, pc);  // looked up later
  keepRoom();
  if (kind == Access::atomic) {
    noteCheckedGuesses(self, address);
    lookUpLoadsOf(self);
  }
  BlockAccesses& accesses = runningSearch().accesses;
  const AccessRecord record(accesses.epoch, self.rank, blockScope, siteOf(pc));
  lookUp({&self, address, unsigned(size), kind, pc}, record, isShared);
}

void settlePendingWrites() {
  std::vector<PendingWrite>& pending = runningSearch().accesses.pending;
  const Quiet quiet;
  for (const PendingWrite& write : pending) {
    uint32_t now = 0;
    std::memcpy(&now, reinterpret_cast<const void*>(write.address), write.size);
    reportWrites(write, now == write.old);
  }
  pending.clear();
  runningSearch().unsettled = runningSearch().trace.on();
}

void laneOrder(unsigned warp, unsigned mask) {
  SearchedBlock& block = runningSearch();
  const std::span<Thread> lanes = block.warpThreads(warp);
  for (Thread& lane : lanes)
    if (mask >> lane.lane() & 1) lookUpLoadsOf(lane);
  uint32_t joined[warpWidth] = {};
  for (unsigned i = 0; i < lanes.size(); ++i) {
    if (!(mask >> i & 1)) continue;
    for (unsigned j = 0; j < warpWidth; ++j)
      joined[j] = std::max(joined[j], lanes[i].history->known[j]);
  }
  const uint32_t ended = block.accesses.epoch++;
  for (unsigned i = 0; i < lanes.size(); ++i)
    if (mask >> i & 1) joined[i] = ended;
  for (unsigned i = 0; i < lanes.size(); ++i)
    if (mask >> i & 1) std::copy_n(joined, warpWidth, lanes[i].history->known);
  launchNow().syncOrder.met(block.accesses.number, ended, warp, mask);
}

void orderAllThreads() {
  SearchedBlock& block = runningSearch();
  BlockAccesses& accesses = block.accesses;
  // Where every thread has fenced on its way here, their writes are fenced for who publishes next.
  bool allFenced = accesses.lastFence > accesses.barrierEpoch;
  for (const Thread& thread : block.allThreads()) {
    if (!allFenced) break;
    allFenced =
        thread.state == State::finished || thread.history->fence.epoch > accesses.barrierEpoch;
  }
  accesses.barrierEpoch = accesses.epoch++;
  if (allFenced)
    for (Thread& thread : block.allThreads())
      thread.history->fence.barrierEpoch = accesses.barrierEpoch;
  launchNow().syncOrder.met(accesses.number, accesses.barrierEpoch, SyncOrder::allWarps, 0);
}

static void noteRelaxed(Thread& self, const void* address, Scope scope) {
  const size_t releases = launchNow().syncOrder.releasesOf(address);
  if (releases == 0) return;
  ThreadHistory& history = *self.history;
  RelaxedLoad* place = std::ranges::find(history.relaxedLoads, address, &RelaxedLoad::address);
  if (place == std::end(history.relaxedLoads))
    place = &history.relaxedLoads[history.nextRelaxedLoad++ % std::size(history.relaxedLoads)];
  *place = {address, releases, runningSearch().accesses.epoch, scope};
}

static void acquireRelaxed(Thread& self, Scope scope) {
  BlockAccesses& accesses = runningSearch().accesses;
  for (RelaxedLoad& load : self.history->relaxedLoads) {
    if (!load.address) continue;
    if (load.epoch >= accesses.firstEpoch)  // of this block
      launchNow().syncOrder.acquire(
          load.address, {accesses.number, self.rank, accesses.epoch++},
          {load.scope == Scope::block ? load.scope : scope, load.releases});
    load = {};
  }
}

// Shared memory has the same addresses in every block.
static bool isOfBlock(const void* address) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  return !findArray(at) && findShared(at);
}

void fence(Scope scope) {
  if (scope == Scope::device && isInKernel()) noteTalk();
  if (!running) return;
  const void* const pc = __builtin_return_address(0);
  noteWaiting();
  Quiet quiet;
  SearchedBlock& block = runningSearch();
  BlockAccesses& accesses = block.accesses;
  settlePendingWrites();
  Thread& self = *block.current;
  if (scope == Scope::device && block.trace.on()) block.trace.noteFence(self, pc);
  lookUpLoadsOf(self);
  acquireRelaxed(self, scope);
  launchNow().syncOrder.fenced({accesses.number, self.rank, accesses.epoch++});
  Fence& fence = self.history->fence;
  if (scope == Scope::block && fence.scope == Scope::device && accesses.hasFenced(self)) return;
  fence.scope = scope;
  fence.epoch = accesses.lastFence = accesses.epoch++;
  fence.barrierEpoch = accesses.barrierEpoch;
  std::copy_n(self.history->known, warpWidth, fence.known);
}

void orderByAtomic(const void* address, const AtomicEffect& effect, MemoryOrder order,
                   Scope scope) {
  Quiet quiet;
  SearchedBlock& block = runningSearch();
  if (!block.current || !block.findFaults) return;
  BlockAccesses& accesses = block.accesses;
  Thread& self = *block.current;
  if (isOfBlock(address)) scope = Scope::block;
  if (order == MemoryOrder::relaxed && effect.reads) noteRelaxed(self, address, scope);
  if (order == MemoryOrder::legacy || order == MemoryOrder::acquire ||
      order == MemoryOrder::acquireRelease) {
    const void* const lock = order == MemoryOrder::legacy ? effect.takesLock : nullptr;
    launchNow().syncOrder.acquire(address, {accesses.number, self.rank, accesses.epoch},
                                  {.scope = scope, .takesLock = lock});
    ++accesses.epoch;
  }
  SyncOrder::Release release{.moment = {accesses.number, self.rank, accesses.epoch},
                             .barrierEpoch = accesses.barrierEpoch,
                             .known = {},
                             .scope = scope};
  const uint32_t* known = self.history->known;
  if (order == MemoryOrder::legacy || order == MemoryOrder::relaxed) {
    if (!accesses.hasFenced(self)) return;
    release.moment.epoch = self.history->fence.epoch;
    release.barrierEpoch = self.history->fence.barrierEpoch;
    release.scope = scope == Scope::block ? scope : self.history->fence.scope;
    known = self.history->fence.known;
  } else if (order == MemoryOrder::acquire) {
    return;
  }
  if (!effect.writes) return;
  std::copy_n(known, warpWidth, release.known);
  launchNow().syncOrder.release(address, release);
  ++accesses.epoch;
}

}  // namespace simt
