#include "simt/races.h"

#include <algorithm>
#include <cstring>

#include "simt/block.h"
#include "simt/block_races.h"
#include "simt/executor.h"
#include "simt/race_reports.h"
#include "simt/sync_order.h"

namespace simt {

// Instructions by their distance from one of the program's: 4 bytes do for each record.
int32_t siteOf(const void* pc) {
  const auto distance = static_cast<const char*>(pc) - reinterpret_cast<const char*>(&siteOf);
  return distance == int32_t(distance) ? int32_t(distance) : 0;
}
const void* pcOf(int32_t site) {
  return site == 0 ? nullptr : reinterpret_cast<const char*>(&siteOf) + site;
}

namespace {

Moment momentOf(const BlockAccesses& accesses, uint32_t thread, uint32_t epoch) {
  return {accesses.number, thread, epoch};
}

// Whether the recorded access comes before what self does now, or is its own.
bool ordered(const BlockAccesses& accesses, const AccessRecord& r, const Thread& self) {
  if (r.epoch <= accesses.barrierEpoch) return true;
  if (r.thread == self.rank) return true;
  if (r.thread / warpWidth == self.warp() && r.epoch <= self.history->known[r.thread % warpWidth])
    return true;
  return syncOrder.ordered(momentOf(accesses, r.thread, r.epoch),
                           momentOf(accesses, self.rank, accesses.epoch));
}

// Keeps two of the reads (or atomics) of a unit, chosen so that what conflicts with any of them
// conflicts with one that is kept: of two warps where there are two, for no access is ordered after
// both; else of two lanes.
void keep(BlockAccesses& accesses, ShadowPage<AccessRecord>& page, Slot first, size_t unit,
          const AccessRecord& record, const Thread& self) {
  AccessRecord& one = page.at(first, unit);
  const auto replaceable = [&](const AccessRecord& r) {
    return r.epoch <= accesses.barrierEpoch || r.thread == record.thread;
  };
  if (replaceable(one)) {
    one = record;
    return;
  }
  AccessRecord& two = page.at(Slot(first + 1), unit);
  const auto warpOf = [](const AccessRecord& r) { return r.thread / warpWidth; };
  if (replaceable(two)) {
    two = record;
    return;
  }
  if (warpOf(one) != warpOf(two)) return;
  if (warpOf(record) == warpOf(one) && ordered(accesses, one, self))
    one = record;
  else
    two = record;
}

// One unit of a page: everything that the access may conflict with.
void checkUnit(BlockAccesses& accesses, ShadowPage<AccessRecord>& page, size_t unit,
               const Conflict& access) {
  const auto look = [&](Slot slot, Access earlierKind) {
    const AccessRecord* r = page.find(slot, unit);
    if (r && !ordered(accesses, *r, *access.self)) reportRace(*r, earlierKind, access);
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

}  // namespace

void forgetBlockAccesses() {
  BlockAccesses& accesses = runningBlock().accesses;
  accesses.shadow.recycle();
  accesses.firstEpoch = ++accesses.epoch;
  accesses.barrierEpoch = accesses.firstEpoch - 1;
}

void beginBlockAccesses(uint32_t number) {
  BlockAccesses& accesses = runningBlock().accesses;
  const bool again = accesses.epoch > uint32_t(1) << 31;
  if (again) {
    accesses.epoch = accesses.lastFence = 0;
    accesses.shadow.clear();
  }
  forgetBlockAccesses();
  accesses.number = number;
  accesses.pending.clear();
  if (!again) return;  // what threads know of earlier epochs is known to be old
  for (Thread& thread : runningBlock().allThreads()) {
    ThreadHistory& history = *thread.history;
    std::fill(std::begin(history.known), std::end(history.known), 0u);
    history.fence = {};
    history.loadsSince = 0;
  }
}

// A block that touches more than this between its beginning and its end: what it did so far is
// held against other blocks and forgotten.
static void keepRoom(BlockAccesses& accesses) {
  if (accesses.shadow.roomTaken() < settings().roomForRecords / 3) return;
  const Quiet quiet;
  checkAgainstOtherBlocks();
  accesses.shadow.clear();
  noteForgotten();
}

void checkRaces(Thread& self, uintptr_t address, size_t size, Access kind, const void* pc,
                Scope scope) {
  BlockAccesses& accesses = runningBlock().accesses;
  const AccessRecord record{accesses.epoch, siteOf(pc), uint16_t(self.rank),
                            uint8_t(kind == Access::atomic && scope == Scope::block)};
  keepRoom(accesses);
  noteGuesses(self, accesses.firstEpoch, address, kind, pc);
  for (const uintptr_t end = address + size; address < end;) {
    ShadowPage<AccessRecord>& page = accesses.shadow.pageOf(address);
    if (address % page.unitBytes() != 0 || end - address < page.unitBytes()) page.splitIntoBytes();
    const size_t unit = page.unitOf(address);
    checkUnit(accesses, page, unit, {&self, address, page.unitBytes(), kind, pc});
    if (kind == Access::store)
      page.at(lastWrite, unit) = record;
    else
      keep(accesses, page, kind == Access::load ? firstRead : firstAtomic, unit, record, self);
    address += page.unitBytes();
  }
}

void settleWrites(std::vector<PendingWrite>& pending) {
  const Quiet quiet;
  for (const PendingWrite& write : pending) {
    uint32_t now = 0;
    std::memcpy(&now, reinterpret_cast<const void*>(write.address), write.size);
    reportWrites(write, now == write.old);
  }
  pending.clear();
}

void laneOrder(unsigned warp, unsigned mask) {
  Block& block = runningBlock();
  const std::span<Thread> lanes = block.warpThreads(warp);
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
  syncOrder.met(block.accesses.number, ended, warp, mask);
}

void orderAllThreads() {
  Block& block = runningBlock();
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
  syncOrder.met(accesses.number, accesses.barrierEpoch, SyncOrder::allWarps, 0);
}

void fence(Scope scope) {
  if (!running) return;
  Quiet quiet;
  Block& block = runningBlock();
  BlockAccesses& accesses = block.accesses;
  settlePendingWrites();
  Thread& self = *block.current;
  Fence& fence = self.history->fence;
  if (scope == Scope::block && fence.scope == Scope::device && accesses.hasFenced(self)) return;
  fence.scope = scope;
  fence.epoch = accesses.lastFence = accesses.epoch++;
  fence.barrierEpoch = accesses.barrierEpoch;
  std::copy_n(self.history->known, warpWidth, fence.known);
}

void orderByAtomic(const void* address, bool writes, MemoryOrder order, Scope scope) {
  Quiet quiet;
  Block& block = runningBlock();
  if (!block.current || !settings().findFaults) return;
  BlockAccesses& accesses = block.accesses;
  Thread& self = *block.current;
  if (order == MemoryOrder::legacy || order == MemoryOrder::acquire ||
      order == MemoryOrder::acquireRelease) {
    syncOrder.acquire(address, {accesses.number, self.rank, accesses.epoch}, scope);
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
  if (!writes) return;
  std::copy_n(known, warpWidth, release.known);
  syncOrder.release(address, release);
  ++accesses.epoch;
}

}  // namespace simt
