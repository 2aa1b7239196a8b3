#include "simt/find/deferred_loads.h"

#include <algorithm>
#include <bit>

#include "simt/find/block_races.h"
#include "simt/find/race_reports.h"
#include "simt/find/races.h"
#include "simt/find/searched_block.h"
#include "simt/memory/arrays.h"

namespace simt {
namespace {

void checkLoad(Thread& self, uint64_t access, const void* pc, uint32_t site) {
  const uintptr_t address = addressOf(access);
  const AccessRecord record(runningSearch().accesses.epoch, self.rank, false, site);
  lookUp({&self, address, sizeOf(access), Access::load, pc}, record,
         sharedRange().contains(address));
}

// Where each lane loads the word after, or before, that of the lane before it: 1 or -1, else 0.
int stepOf(const uint64_t* accesses) {
  const uint64_t first = packAccess(addressOf(accesses[0]), wordBytes);
  uint64_t up = 0, down = 0;
  for (unsigned lane = 0; lane < warpWidth; ++lane) {
    up |= accesses[lane] ^ (first + lane * wordBytes);
    down |= accesses[lane] ^ (first - lane * wordBytes);
  }
  return up == 0 ? 1 : down == 0 ? -1 : 0;
}

// Words side by side in one page, loaded by threads side by side.
struct Run {
  uintptr_t begin;
  size_t words;
  unsigned firstThread;
  int step;  // from one word's thread to the next word's

  unsigned threadOf(size_t word) const { return unsigned(int(firstThread) + step * int(word)); }
};

// Whether a record of a word of the run is of its thread, or comes before what it does now.
bool isPast(const BlockAccesses& accesses, const AccessRecord& r, const Run& run, size_t word) {
  return r.epoch <= accesses.barrierEpoch || r.thread() == run.threadOf(word);
}

// Whether nothing was done to the words that a load could conflict with.
bool isQuiet(const BlockAccesses& accesses, const BlockPage& page, const Run& run) {
  if (page.unitBytes() != wordBytes) return false;
  for (const Slot slot : {lastWrite, firstAtomic, secondAtomic}) {
    if (page.newest[slot] <= accesses.barrierEpoch) continue;
    const AccessRecord* const records = page.find(slot, page.unitOf(run.begin));
    for (size_t i = 0; i < run.words; ++i)
      if (!isPast(accesses, records[i], run, i)) return false;
  }
  return true;
}

// Records loads that need be held against nothing, if there is a place for each: what is past gives
// its own away. False: nothing is done.
bool recordRun(BlockAccesses& accesses, BlockPage& page, const Run& run, uint32_t site) {
  if (!isQuiet(accesses, page, run)) return false;
  const uint32_t epoch = accesses.epoch;
  const AccessRecord first(epoch, run.firstThread, false, site);
  const auto set = [&](AccessRecord& r, size_t i) {
    r.epoch = epoch;
    r.who = first.who + uint32_t(run.step) * uint32_t(i);
  };
  AccessRecord* const one = &page.at(firstRead, page.unitOf(run.begin));
  bool allPast = true;
  if (page.newest[firstRead] > accesses.barrierEpoch)
    for (size_t i = 0; i < run.words && allPast; ++i) allPast = isPast(accesses, one[i], run, i);
  page.newest[firstRead] = epoch;
  if (allPast) {
    for (size_t i = 0; i < run.words; ++i) set(one[i], i);
    return true;
  }
  AccessRecord* const two = &page.at(secondRead, page.unitOf(run.begin));
  for (size_t i = 0; i < run.words; ++i)
    if (!isPast(accesses, one[i], run, i) && !isPast(accesses, two[i], run, i)) return false;
  for (size_t i = 0; i < run.words; ++i) set(isPast(accesses, one[i], run, i) ? one[i] : two[i], i);
  page.newest[secondRead] = epoch;
  return true;
}

// The same for one word, where nothing was done to its page that a load could conflict with.
bool recordWord(BlockAccesses& accesses, BlockPage& page, uintptr_t address,
                const AccessRecord& record) {
  const uint32_t past = accesses.barrierEpoch;
  if (page.unitBytes() != wordBytes || page.newest[lastWrite] > past ||
      page.newest[firstAtomic] > past || page.newest[secondAtomic] > past)
    return false;
  AccessRecord& known = page.at(firstRead, page.unitOf(address));
  if (known.epoch > past && known.thread() != record.thread()) return false;
  known = record;
  page.newest[firstRead] = record.epoch;
  return true;
}

// The loads of all 32 lanes, of words side by side.
void checkRow(unsigned warp, const Request& request, uint32_t site, int step) {
  SearchedBlock& block = runningSearch();
  BlockAccesses& accesses = block.accesses;
  const unsigned lowest = step > 0 ? 0 : warpWidth - 1;  // lane
  const uintptr_t begin = addressOf(request.accesses[lowest]);
  Shadow<BlockPage>& shadow = sharedRange().contains(begin) ? accesses.shared : accesses.global;
  for (size_t done = 0; done < warpWidth;) {
    const uintptr_t address = begin + done * wordBytes;
    BlockPage& page = shadow.pageOf(address);
    const size_t left = (page.begin() + page.bytes - address) / wordBytes;
    const unsigned lane = unsigned(int(lowest) + step * int(done));
    const Run run{address, std::min(left, warpWidth - done), warp * warpWidth + lane, step};
    if (!recordRun(accesses, page, run, site))
      for (size_t i = 0; i < run.words; ++i) {
        const unsigned other = unsigned(int(lane) + step * int(i));
        checkLoad(block.threads[warp * warpWidth + other], request.accesses[other], request.pc,
                  site);
      }
    done += run.words;
  }
}

}  // namespace

void checkLoads(unsigned warp, const Request& request) {
  const uint32_t site = siteOf(request.pc);
  keepRoom();
  if (request.lanes == ~0u && addressOf(request.accesses[0]) % wordBytes == 0)
    if (const int step = stepOf(request.accesses)) return checkRow(warp, request, site, step);
  SearchedBlock& block = runningSearch();
  BlockAccesses& accesses = block.accesses;
  const Range& shared = sharedRange();
  for (uint32_t left = request.lanes; left != 0; left &= left - 1) {
    const auto lane = unsigned(std::countr_zero(left));
    const uint64_t access = request.accesses[lane];
    const uintptr_t address = addressOf(access);
    Thread& self = block.threads[warp * warpWidth + lane];
    if (sizeOf(access) == wordBytes && address % wordBytes == 0) {
      BlockPage& page =
          (shared.contains(address) ? accesses.shared : accesses.global).pageOf(address);
      if (recordWord(accesses, page, address, {accesses.epoch, self.rank, false, site}) ||
          recordRun(accesses, page, {address, 1, self.rank, 0}, site))
        continue;
    }
    checkLoad(self, access, request.pc, site);
  }
}

// Backwards along the thread's path: the last accesses are the first to be met.
void checkLoadsOf(Thread& thread) {
  SearchedBlock& block = runningSearch();
  if (!thread.segment) return;
  WarpLog& log = block.logs[thread.warp()];
  const uint64_t* const begin = log.addresses.data() + thread.lane();
  const auto rows = size_t(thread.nextAddress - begin) / warpWidth;
  const PathSegment* segment = thread.segment;
  auto length = uint32_t(thread.nextCode - segment->codes);
  for (size_t row = rows; row > thread.checkedRows;) {
    while (length == 0) {
      length = segment->parentLength;
      segment = segment->parent;
    }
    const uint32_t code = segment->codes[--length];
    if (tagOf(code) != CodeTag::access) continue;
    const AccessSite& site = block.paths.site(code);
    --row;
    if (site.kind == Access::load) checkLoad(thread, begin[row * warpWidth], site.pc, site.number);
  }
  if (rows > thread.checkedRows) log.someChecked = true;
  thread.checkedRows = uint16_t(rows);
}

}  // namespace simt
