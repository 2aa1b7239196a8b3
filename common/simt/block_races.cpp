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

std::mutex mutex;
Shadow<LaunchRecord> launchShadow;
bool forgotten = false;

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

std::string blockName(uint32_t number) {
  const dim3 grid = runningBlock().kernelCall.grid;
  return "block " + indexName(indexOf(number - 1, grid), grid);
}

// A unit of memory, in both shadows.
struct Unit {
  uintptr_t address;
  unsigned size;

  uint32_t value() const {  // that it has now
    uint32_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(address), size);
    return bits;
  }
};

void report(const LaunchRecord& earlier, Slot earlierSlot, const AccessRecord& mine, Slot mySlot,
            const Unit& unit) {
  Block& block = runningBlock();
  const Access earlierKind = kindOf(earlierSlot), kind = kindOf(mySlot);
  const bool writes = earlierKind == Access::store && kind == Access::store;
  const auto faultKind =
      writes && earlier.value == unit.value() ? Fault::Kind::benignRace : Fault::Kind::race;
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

// The pages of one kilobyte: what the running block did, and what all blocks before did.
struct Pages {
  const ShadowPage<AccessRecord>& mine;
  ShadowPage<LaunchRecord>& all;

  // Calls act for every unit that this block touched in that way.
  template <typename Act>
  void forEach(Slot slot, const Act& act) const {
    const BlockAccesses& accesses = runningBlock().accesses;
    const unsigned size = all.unitBytes();
    for (size_t i = 0; i < all.units(); ++i) {
      const uintptr_t address = all.begin() + i * size;
      const AccessRecord& record = *mine.find(slot, mine.unitOf(address));
      if (accesses.ofThisBlock(record)) act(i, Unit{address, size}, record);
    }
  }
};

void compare(const Pages& pages, Slot mySlot, Slot otherSlot) {
  const uint32_t number = runningBlock().accesses.number;
  pages.forEach(mySlot, [&](size_t i, const Unit& unit, const AccessRecord& mine) {
    const LaunchRecord& other = *pages.all.find(otherSlot, i);
    if (other.block != 0 && other.block != number &&
        conflict(otherSlot, other.access, mySlot, mine) && !ordered(other, mine, number))
      report(other, otherSlot, mine, mySlot, unit);
  });
}

// Two reads (or atomics) are kept, of the first and of the last block.
void record(const Pages& pages, Slot mySlot) {
  const uint32_t number = runningBlock().accesses.number;
  const Slot first = mySlot == secondRead     ? firstRead
                     : mySlot == secondAtomic ? firstAtomic
                                              : mySlot;
  pages.forEach(mySlot, [&](size_t i, const Unit& unit, const AccessRecord& mine) {
    Slot slot = first;
    if (slot != lastWrite && pages.all.at(slot, i).block != 0) {
      if (pages.all.at(slot, i).block == number) return;
      slot = Slot(slot + 1);
    }
    pages.all.at(slot, i) = {number, mine, slot == lastWrite ? unit.value() : 0};
  });
}

// Whether two such accesses can conflict.
bool mayConflict(Slot one, Slot other) {
  return one == lastWrite || other == lastWrite || kindOf(one) != kindOf(other) ||
         kindOf(one) == Access::atomic;
}

void commitPage(const ShadowPage<AccessRecord>& page) {
  ShadowPage<LaunchRecord>& all = launchShadow.pageOf(page.begin());
  if (page.unitBytes() == 1) all.splitIntoBytes();
  const Pages pages{page, all};
  for (unsigned mine = 0; mine < slotCount; ++mine)
    for (unsigned other = 0; other < slotCount; ++other)
      if (page.has(Slot(mine)) && all.has(Slot(other)) && mayConflict(Slot(mine), Slot(other)))
        compare(pages, Slot(mine), Slot(other));
  for (unsigned mine = 0; mine < slotCount; ++mine)
    if (page.has(Slot(mine))) record(pages, Slot(mine));
}

}  // namespace

void beginLaunchAccesses() {
  orderAllBlocks();
  syncOrder.clear();
}

void orderAllBlocks() {
  const std::scoped_lock lock(mutex);
  launchShadow.clear();
}

void noteForgotten() { forgotten = true; }
bool someForgotten() { return std::exchange(forgotten, false); }

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
    if (!findArray(page.begin())) return;  // shared memory
    if (launchShadow.roomTaken() < settings().roomForRecords / 3 * 2)
      commitPage(page);
    else
      noteForgotten();
  });
}

}  // namespace simt
