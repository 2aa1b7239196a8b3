#include "simt/block_races.h"

#include <cstring>
#include <mutex>
#include <utility>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/faults.h"
#include "simt/memory_faults.h"
#include "simt/races.h"
#include "simt/shadow.h"
#include "simt/symbols.h"
#include "simt/sync_order.h"

namespace simt {
namespace {

// What the blocks so far did to a unit. The block counts from 1; 0 is none.
struct LaunchRecord {
  uint32_t block = 0;
  AccessRecord access;
  uint32_t value = 0;  // what a write left
};

// Beyond this much room no further memory is looked after.
constexpr size_t mostRoom = size_t(512) << 20;

std::mutex mutex;
Shadow<LaunchRecord> launchShadow;
size_t roomTaken = 0;

Access kindOf(Slot slot) {
  return slot == lastWrite                         ? Access::store
         : slot == firstRead || slot == secondRead ? Access::load
                                                   : Access::atomic;
}

bool conflict(Slot one, const AccessRecord& a, Slot other, const AccessRecord& b) {
  const Access first = kindOf(one), second = kindOf(other);
  if (first == Access::atomic && second == Access::atomic) return a.blockScope || b.blockScope;
  return first != Access::load || second != Access::load;
}

uint3 indexOf(uint32_t rank, dim3 extent) {
  return {rank % extent.x, rank / extent.x % extent.y, rank / extent.x / extent.y};
}

std::string blockName(uint32_t number) {
  const dim3 grid = runningBlock().kernelCall.grid;
  return "block " + indexName(indexOf(number - 1, grid), grid);
}

// A unit of memory, in both shadows.
struct Unit {
  uintptr_t address;
  unsigned size;
  uint32_t value;  // that it has now
};

void report(const LaunchRecord& earlier, Slot earlierSlot, const AccessRecord& mine, Slot mySlot,
            const Unit& unit) {
  Block& block = runningBlock();
  const Access earlierKind = kindOf(earlierSlot), kind = kindOf(mySlot);
  const bool writes = earlierKind == Access::store && kind == Access::store;
  const auto faultKind =
      writes && earlier.value == unit.value ? Fault::Kind::benignRace : Fault::Kind::race;
  const void *const first = pcOf(earlier.access.site), *const second = pcOf(mine.site);
  block.faults.supersedeUnwritten(unit.address);
  if (block.faults.has(faultKind, first, second)) return;
  const dim3 extent = block.kernelCall.block;
  const uint3 other = indexOf(earlier.access.thread, extent), self = indexOf(mine.thread, extent);
  const Place place = placeOf(unit.address, unit.size);
  std::string text = "race in global memory on " + place.element() + " between blocks: thread " +
                     indexName(other, extent) + " of " + blockName(earlier.block) + " " +
                     verb(earlierKind) + " it" + at(first) + ", thread " + indexName(self, extent) +
                     " of " + blockName(block.accesses.number) + " " + verb(kind) + " it" +
                     at(second);
  if (faultKind == Fault::Kind::benignRace)
    text += ": both write the same value, which does no harm on the GPUs there are";
  else if (earlierKind == Access::atomic && kind == Access::atomic)
    text += ", atomic for the threads of one block only";
  else
    text +=
        ", with nothing between that orders blocks (a fence and an atomic, or a release and an "
        "acquisition)";
  Fault fault = makeFault(faultKind, text, {}, {first, second});
  fault.threads = {dim3(other), dim3(self)};
  fault.array = place.array;
  fault.index = place.index;
  const void* guess = nullptr;
  if (earlierKind == Access::atomic && kind == Access::load) guess = second;
  if (earlierKind == Access::load && kind == Access::atomic) guess = first;
  block.faults.add({std::move(fault), first, second, unit.address, guess});
}

bool ordered(const LaunchRecord& earlier, const AccessRecord& mine, uint32_t number) {
  const Moment then{earlier.block, earlier.access.thread, earlier.access.epoch};
  const Moment now{number, mine.thread, mine.epoch};
  return syncOrder.ordered(then, now) || syncOrder.ordered(now, then);
}

// Two reads (or atomics) are kept, of the first and of the last block.
void record(ShadowPage<LaunchRecord>& page, Slot slot, size_t unit, const LaunchRecord& mine) {
  if (slot != lastWrite && page.at(slot, unit).block != 0) {
    if (page.at(slot, unit).block == mine.block) return;
    slot = Slot(slot + 1);
  }
  page.at(slot, unit) = mine;
}

void commitUnit(ShadowPage<LaunchRecord>& page, const Unit& unit, Slot slot,
                const AccessRecord& mine) {
  const uint32_t number = runningBlock().accesses.number;
  const size_t i = page.unitOf(unit.address);
  for (unsigned other = 0; other < slotCount; ++other) {
    const LaunchRecord* r = page.find(Slot(other), i);
    if (r && r->block != 0 && r->block != number && conflict(Slot(other), r->access, slot, mine) &&
        !ordered(*r, mine, number))
      report(*r, Slot(other), mine, slot, unit);
  }
}

void commitPage(const ShadowPage<AccessRecord>& page) {
  const BlockAccesses& accesses = runningBlock().accesses;
  ShadowPage<LaunchRecord>& all = launchShadow.pageOf(page.begin());
  const size_t roomBefore = all.roomTaken();
  if (page.unitBytes() == 1) all.splitIntoBytes();
  const unsigned size = all.unitBytes();
  for (uintptr_t address = page.begin(); address < page.begin() + page.bytes; address += size) {
    Unit unit{address, size, 0};
    bool known = false;
    const auto visit = [&](auto&& act) {
      for (unsigned slot = 0; slot < slotCount; ++slot) {
        const AccessRecord* mine = page.find(Slot(slot), page.unitOf(address));
        if (!mine || !accesses.ofThisBlock(*mine)) continue;
        if (!std::exchange(known, true))
          std::memcpy(&unit.value, reinterpret_cast<const void*>(address), size);
        act(Slot(slot), *mine);
      }
    };
    visit([&](Slot slot, const AccessRecord& mine) { commitUnit(all, unit, slot, mine); });
    visit([&](Slot slot, const AccessRecord& mine) {
      const Slot first = slot == secondRead ? firstRead : slot == secondAtomic ? firstAtomic : slot;
      record(all, first, all.unitOf(address), {accesses.number, mine, unit.value});
    });
  }
  roomTaken += all.roomTaken() - roomBefore;
}

}  // namespace

void beginLaunchAccesses() {
  orderAllBlocks();
  syncOrder.clear();
}

void orderAllBlocks() {
  const std::scoped_lock lock(mutex);
  launchShadow.clear();
  roomTaken = 0;
}

void forgetAccesses(uintptr_t begin, uintptr_t end) {
  const std::scoped_lock lock(mutex);
  runningBlock().accesses.shadow.forget(begin, end);
  launchShadow.forget(begin, end);
}

void checkAgainstOtherBlocks() {
  Block& block = runningBlock();
  const dim3 grid = block.kernelCall.grid;
  if (uint64_t(grid.x) * grid.y * grid.z == 1) return;
  const std::scoped_lock lock(mutex);
  block.accesses.shadow.forEachPage([](const ShadowPage<AccessRecord>& page) {
    if (roomTaken < mostRoom && findArray(page.begin())) commitPage(page);
  });
}

}  // namespace simt
