#include "simt/find/block_races.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/race_reports.h"
#include "simt/find/searched_block.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/paths/warp_log.h"

namespace simt {
namespace {

Access kindOf(Slot slot) {
  return slot == lastWrite                         ? Access::store
         : slot == firstRead || slot == secondRead ? Access::load
                                                   : Access::atomic;
}

bool conflict(Slot one, const AccessRecord& a, Slot other, const AccessRecord& b) {
  const Access first = kindOf(one), second = kindOf(other);
  if (first == Access::atomic && second == Access::atomic) return a.blockScope() || b.blockScope();
  if (VolatilePair{first, a.site(), second, b.site()}.isRelaxed()) return false;
  return first != Access::load || second != Access::load;
}

std::string blockName(uint32_t number) {
  const dim3 grid = runningSearch().kernelCall().grid;
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
  const SearchedBlock& block = runningSearch();
  FaultLog& faults = block.launch().faults;
  const Access earlierKind = kindOf(earlierSlot), kind = kindOf(mySlot);
  const bool writes = earlierKind == Access::store && kind == Access::store;
  const bool resets = earlierKind == Access::atomic && kind == Access::store
                          ? mine.afterOwnAtomic()
                          : earlierKind == Access::store && kind == Access::atomic &&
                                earlier.access.afterOwnAtomic();
  const bool isBenign = resets || (writes && earlier.value == unit.value());
  const auto faultKind = isBenign ? Fault::Kind::benignRace : Fault::Kind::race;
  const void *const first = pcOf(earlier.access.site()), *const second = pcOf(mine.site());
  faults.supersedeUnwritten(unit.address);
  if (faults.has(faultKind, first, second, false)) return;
  const dim3 extent = block.kernelCall().block;
  const uint3 other = indexOf(earlier.access.thread(), extent),
              self = indexOf(mine.thread(), extent);
  const ArrayElement place = elementAt(unit.address, unit.size);
  std::string text = "race in global memory on " + place.element() + " between blocks: thread " +
                     indexName(other, extent) + " of " + blockName(earlier.block) + " " +
                     verb(earlierKind) + " it" + at(first) + ", thread " + indexName(self, extent) +
                     " of " + blockName(block.accesses.number) + " " + verb(kind) + " it" +
                     at(second);
  if (resets)
    text +=
        ": the write comes after an atomic of its own thread there, which does no harm where that "
        "has told it that it is the last";
  else if (isBenign)
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
  faults.add({std::move(fault), first, second, unit.address, guess});
}

// What one thread did to a unit, and another after it had taken a lock.
void reportUnfenced(const Moment& then, const void* earlier, const Moment& now,
                    const Conflict& access, const void* lock) {
  const SearchedBlock& block = runningSearch();
  FaultLog& faults = block.launch().faults;
  if (faults.has(Fault::Kind::missingFence, lock, nullptr)) return;
  const dim3 extent = block.kernelCall().block;
  const auto nameOf = [&](const Moment& moment) {
    return "thread " + indexName(indexOf(moment.thread, extent), extent) + " of " +
           blockName(moment.block);
  };
  Fault fault = missingFence(nameOf(now), access, nameOf(then), earlier, lock);
  fault.threads = {dim3(indexOf(now.thread, extent))};
  faults.add({std::move(fault), lock, nullptr, access.address});
}

// Whether the two are ordered, one way or the other.
bool ordered(const LaunchRecord& earlier, Slot earlierSlot, const AccessRecord& mine, Slot mySlot,
             const Unit& unit) {
  const Moment then{earlier.block, earlier.access.thread(), earlier.access.epoch};
  const Moment now{runningSearch().accesses.number, mine.thread(), mine.epoch};
  const void *const first = pcOf(earlier.access.site()), *const second = pcOf(mine.site());
  if (const Ordering order = launchNow().syncOrder.order(then, now); order.ordered) {
    if (order.unfenced)
      reportUnfenced(then, first, now, {nullptr, unit.address, unit.size, kindOf(mySlot), second},
                     order.unfenced);
    return true;
  }
  const Ordering order = launchNow().syncOrder.order(now, then);
  if (order.unfenced)
    reportUnfenced(now, second, then,
                   {nullptr, unit.address, unit.size, kindOf(earlierSlot), first}, order.unfenced);
  return order.ordered;
}

// The two as of another page, by its units.
LaunchRecord recordAt(const BlockPage& page, Slot slot, const Unit& unit) {
  const AccessRecord& access = *page.find(slot, page.unitOf(unit.address));
  LaunchRecord record{access.epoch == 0 ? 0 : page.block, 0, access};
  if (slot == lastWrite && page.values)
    std::memcpy(&record.value, &page.values[unit.address - page.begin()], unit.size);
  return record;
}
LaunchRecord recordAt(const ShadowPage<LaunchRecord>& page, Slot slot, const Unit& unit) {
  return *page.find(slot, page.unitOf(unit.address));
}

// Calls act for every unit that the running block touched in that way, a page's finest.
template <typename Act>
void forEachUnit(const BlockPage& mine, Slot slot, unsigned size, const Act& act) {
  const size_t units = BlockPage::bytes / size;
  for (size_t i = 0; i < units; ++i) {
    const uintptr_t address = mine.begin() + i * size;
    const AccessRecord& record = *mine.find(slot, mine.unitOf(address));
    if (record.epoch != 0) act(i, Unit{address, size}, record);
  }
}

// Whether two such accesses can conflict.
bool mayConflict(Slot one, Slot other) {
  return one == lastWrite || other == lastWrite || kindOf(one) != kindOf(other) ||
         kindOf(one) == Access::atomic;
}

template <typename Page>
void compare(const BlockPage& mine, const Page& others) {
  const uint32_t number = runningSearch().accesses.number;
  const unsigned size = std::min(mine.unitBytes(), others.unitBytes());
  for (unsigned my = 0; my < slotCount; ++my)
    for (unsigned its = 0; its < slotCount; ++its) {
      const Slot mySlot = Slot(my), itsSlot = Slot(its);
      if (!mine.has(mySlot) || !others.has(itsSlot) || !mayConflict(mySlot, itsSlot)) continue;
      forEachUnit(mine, mySlot, size, [&](size_t, const Unit& unit, const AccessRecord& record) {
        const LaunchRecord other = recordAt(others, itsSlot, unit);
        if (other.block != 0 && other.block != number &&
            conflict(itsSlot, other.access, mySlot, record) &&
            !ordered(other, itsSlot, record, mySlot, unit))
          report(other, itsSlot, record, mySlot, unit);
      });
    }
}

// Two reads (or atomics) are kept, of the first and of the last block.
void record(const BlockPage& mine, ShadowPage<LaunchRecord>& all, Slot mySlot) {
  const uint32_t number = runningSearch().accesses.number;
  const Slot first = mySlot == secondRead     ? firstRead
                     : mySlot == secondAtomic ? firstAtomic
                                              : mySlot;
  forEachUnit(mine, mySlot, all.unitBytes(),
              [&](size_t i, const Unit& unit, const AccessRecord& access) {
                Slot slot = first;
                if (slot != lastWrite && all.at(slot, i).block != 0) {
                  if (all.at(slot, i).block == number) return;
                  slot = Slot(slot + 1);
                }
                all.at(slot, i) = {number, slot == lastWrite ? unit.value() : 0, access};
              });
}

// The units that a page's block read, if it did nothing else and they are words: then a bit each.
struct ReadWords {
  static constexpr size_t pieces = BlockPage::bytes / wordBytes / 64;
  uint64_t words[pieces] = {};
};
bool readsWordsOnly(const BlockPage& page) {
  return page.unitBytes() == wordBytes && page.has(firstRead) && !page.has(lastWrite) &&
         !page.has(firstAtomic);
}
ReadWords readWords(const BlockPage& page) {
  ReadWords read;
  const AccessRecord* const records = page.find(firstRead, 0);
  for (size_t i = 0; i < page.units(); ++i)
    read.words[i / 64] |= uint64_t(records[i].epoch != 0) << i % 64;
  return read;
}

// Whether all has reads of two other blocks wherever mine has one, and mine is nothing but reads:
// then it has nothing to add.
bool isReadByTwo(const LaunchPage& all, const BlockPage& mine) {
  if (!all.whole[0] || !all.whole[1] || all.whole[0]->block == all.whole[1]->block) return false;
  const BlockPage &first = *all.whole[0], &second = *all.whole[1];
  if (!readsWordsOnly(mine) || !readsWordsOnly(first) || !readsWordsOnly(second)) return false;
  const ReadWords own = readWords(mine), a = readWords(first), b = readWords(second);
  for (size_t i = 0; i < ReadWords::pieces; ++i)
    if ((own.words[i] & ~(a.words[i] & b.words[i])) != 0) return false;
  return true;
}

// The page becomes one of the launch's as it is.
void takeOver(std::unique_ptr<BlockPage>& place, std::unique_ptr<BlockPage> page) {
  page->block = runningSearch().accesses.number;
  page->countRoomIn(launchNow().accesses.room());
  if (page->has(lastWrite)) {
    page->values = std::make_unique<char[]>(BlockPage::bytes);
    page->addRoom(BlockPage::bytes);
    std::memcpy(page->values.get(), reinterpret_cast<const void*>(page->begin()), BlockPage::bytes);
  }
  place = std::move(page);
}

void merge(LaunchPage& all, const BlockPage& page) {
  if (!all.mixed)
    all.mixed =
        std::make_unique<ShadowPage<LaunchRecord>>(all.begin(), launchNow().accesses.room());
  if (page.unitBytes() == 1) all.mixed->splitIntoBytes();
  for (unsigned mine = 0; mine < slotCount; ++mine)
    if (page.has(Slot(mine))) record(page, *all.mixed, Slot(mine));
}

// Where the page is owned, it may be taken over.
void commit(const BlockPage& page, std::unique_ptr<BlockPage>* owned) {
  const bool hasRoom = launchNow().accesses.room() < launchNow().settings.roomForRecords / 3 * 2;
  if (!hasRoom) {
    launchNow().forgotten = true;
    return;
  }
  LaunchPage& all = launchNow().accesses.pageOf(page.begin());
  for (const auto& other : all.whole)
    if (other) compare(page, *other);
  if (all.mixed) compare(page, *all.mixed);
  if (!all.mixed && owned)
    for (auto& place : all.whole)
      if (!place) return takeOver(place, std::move(*owned));
  if (!isReadByTwo(all, page)) merge(all, page);
}

}  // namespace

void orderAllBlocks(SearchedLaunch& launch) { launch.accesses.clear(); }

void takeRecordsAlong(bool inForks) {
  recordPool<AccessRecord>().comeAlong(inForks);
  recordPool<LaunchRecord>().comeAlong(inForks);
}

void leaveRecordsToOthers() {
  recordPool<AccessRecord>().leaveToOthers();
  recordPool<LaunchRecord>().leaveToOthers();
}

void forgetAccesses(uintptr_t begin, uintptr_t end) {
  lookUpAllLoads();
  runningSearch().accesses.global.forget(begin, end);
  launchNow().accesses.forget(begin, end);
}

void checkAgainstOtherBlocks(bool forgotten) {
  const SearchedBlock& block = runningSearch();
  Shadow<BlockPage>& pages = runningSearch().accesses.global;
  if (block.kernelCall().blocks() == 1) return;
  if (!forgotten) return pages.forEachPage([](const BlockPage& page) { commit(page, nullptr); });
  for (std::unique_ptr<BlockPage>& page : pages.takePages()) commit(*page, &page);
}

void keepRoom() {
  BlockAccesses& accesses = runningSearch().accesses;
  if (accesses.global.room() + accesses.shared.room() < accesses.mostRoom) [[likely]]
    return;
  const Quiet quiet;
  checkAgainstOtherBlocks(true);
  accesses.global.clear();
  accesses.shared.clear();
  launchNow().forgotten = true;
}

}  // namespace simt
