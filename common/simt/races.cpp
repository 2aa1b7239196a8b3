#include "simt/races.h"

#include <algorithm>

#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/faults.h"
#include "simt/memory_faults.h"
#include "simt/symbols.h"

namespace simt {
namespace {

// Whether the recorded access comes before what self does now, or needs no order.
bool ordered(const AccessRecord& record, const Thread& self, uint8_t bytes) {
  if (!(record.bytes & bytes) || record.thread == self.rank) return true;
  const Thread& other = runningBlock().threads[record.thread];
  return other.warp() == self.warp() && record.clock < self.known[other.lane()];
}

void reportRace(const AccessRecord& earlier, bool earlierWrites, const Thread& self,
                uintptr_t address, size_t size, Access kind, const void* pc) {
  const Thread& other = runningBlock().threads[earlier.thread];
  const bool sameWarp = other.warp() == self.warp();
  const bool shared = sharedRange().contains(address);
  const Access earlierKind = earlier.atomic  ? Access::atomic
                             : earlierWrites ? Access::store
                                             : Access::load;
  const Place place = placeOf(address, size);
  report(Fault::Kind::race,
         std::string("race in ") + (shared ? "shared" : "global") + " memory on " +
             place.element() + ": " + threadName(other) + " " + verb(earlierKind) + " it" +
             at(earlier.pc) + ", " + threadName(self) + " " + verb(kind) + " it" + at(pc) +
             (sameWarp ? ", same warp, with no __syncwarp or __syncthreads between"
                       : ", with no __syncthreads between"),
         place, {&other, &self}, {earlier.pc, pc});
}

// Keeps two of the reads (or atomics) of a word, chosen so that what conflicts with any of them
// conflicts with one that is kept: of two warps where there are two, for no access is ordered after
// both; else of two lanes.
void keep(AccessRecord (&kept)[2], const AccessRecord& record, const Thread& self) {
  const auto warpOf = [](const AccessRecord& r) { return r.thread / warpWidth; };
  for (AccessRecord& r : kept)
    if (r.bytes == 0 || r.thread == record.thread) {
      r = record;
      return;
    }
  if (warpOf(kept[0]) != warpOf(kept[1])) return;
  const bool replaceFirst = warpOf(record) == warpOf(kept[0]) && ordered(kept[0], self, 0xf);
  kept[replaceFirst ? 0 : 1] = record;
}

}  // namespace

void checkRaces(const Thread& self, uintptr_t address, size_t size, Access kind, const void* pc) {
  const uintptr_t end = address + size;
  for (uintptr_t word = address & ~(wordBytes - 1); word < end; word += wordBytes) {
    const uint8_t bytes = bytesOf(word, address, end);
    WordAccesses& slot = runningBlock().races[word];
    const uintptr_t place = std::max(word, address);
    if (!ordered(slot.write, self, bytes))
      return reportRace(slot.write, true, self, place, size, kind, pc);
    if (kind != Access::atomic)
      for (const AccessRecord& atomic : slot.atomics)
        if (!ordered(atomic, self, bytes))
          return reportRace(atomic, true, self, place, size, kind, pc);
    if (kind != Access::load)
      for (const AccessRecord& read : slot.reads)
        if (!ordered(read, self, bytes))
          return reportRace(read, false, self, place, size, kind, pc);

    const AccessRecord record{uint16_t(self.rank), bytes, kind == Access::atomic, self.clock, pc};
    if (kind == Access::store)
      slot.write = record;
    else
      keep(kind == Access::load ? slot.reads : slot.atomics, record, self);
  }
}

void laneOrder(unsigned warp, unsigned mask) {
  Thread* const lanes = runningBlock().threads + warp * warpWidth;
  const unsigned present =
      std::min(warpWidth, runningBlock().kernelCall.threads - warp * warpWidth);
  uint32_t joined[warpWidth] = {};
  for (unsigned i = 0; i < present; ++i) {
    if (!(mask >> i & 1)) continue;
    for (unsigned j = 0; j < warpWidth; ++j) joined[j] = std::max(joined[j], lanes[i].known[j]);
  }
  for (unsigned i = 0; i < present; ++i)
    if (mask >> i & 1) joined[i] = ++lanes[i].clock;
  for (unsigned i = 0; i < present; ++i)
    if (mask >> i & 1) std::copy_n(joined, warpWidth, lanes[i].known);
}

}  // namespace simt
