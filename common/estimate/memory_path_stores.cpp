// What goes to L2: stores and atomics, part of memory_path.h.
#include <algorithm>
#include <array>
#include <cmath>

#include "estimate/between.h"
#include "estimate/memory_path.h"

namespace estimate {

namespace {

// A turn of L2 with atomics of floats: 3.48 cycles on one address and on eight, of all and of a
// warp.
constexpr double floatAtomicCycles = 3.48;
// What the memory does beside a sector that is written by itself, of what it does where one is
// read: 16 million stores of 4 bytes at random in 1 GiB take 1,069 us where loads take 342.
constexpr double loneWritten = 1.5;
// … and of atomics at random, by how much it is dearer where what goes back does so among as many
// reads: see writtenBack.
constexpr double backAmongReads = 0.7;
// Of L2's time, what each sector of a store takes that leaves holes in them, and each line's mask
// of bytes: 64, 48, 40, 20, 10 and 5 of both take 125, 93, 76, 38, 18.4 and 9.3 cycles of a
// multiprocessor where all do nothing else (H200).
constexpr double pieceInL2 = 1.9;
// … arrays of threads that are written again and again take 92 sectors a cycle, where 118 are read.
constexpr double wholeOwnInL2 = 1.28;
// 57,000 stores of a warp to the same 4 bytes, each behind a load, take 58,000 cycles of an H100.
constexpr double storeOfAllCycles = 1;
// For how long a store that comes to L2 before what memory brings there holds up all of it, for
// each sector that it fills, or line that it fills in part; and how many of one multiprocessor's do
// so at most. By stores right behind the loads of the same places, 1 to 16 warps on each
// multiprocessor go through 32 rows in 8 to 150 us more than by stores of what was loaded; through
// rows that L2 has in up to 7 us more, which is left out (H200).
constexpr double overwrittenNs = 0.5, mostOverwritten = 64;
// Of L2's turns with atomics whose value is asked for, at places of their own: 17 us where 13 are
// without.
constexpr double returnedTurns = 1.3;
// L1 puts together what a warp stores to a sector soon after one another, the less the more lines a
// store has and the more warps store at a time: this share of the stores of threads that have 2, 3,
// 4, 6 and 8 neighbouring numbers of 4 bytes, in blocks of 1 to 32 warps (H100, 240 launches).
// Warps of a block that begin, or come from its first barrier, store at a time: by lines^3 and its
// warps. Those that have waited for values since come one after the other: by lines^5 and warps, 4
// at least; and at later barriers blocks are no longer in step.
constexpr std::array<std::pair<double, double>, 8> mergedAtATime = {{{64, 0.99},
                                                                     {216, 0.94},
                                                                     {432, 0.72},
                                                                     {864, 0.55},
                                                                     {1728, 0.47},
                                                                     {3456, 0.26},
                                                                     {6912, 0.10},
                                                                     {16384, 0.02}}};
constexpr std::array<std::pair<double, double>, 8> mergedInTurn = {{{0x2000, 0.96},
                                                                    {0x4000, 0.90},
                                                                    {0x8000, 0.82},
                                                                    {0x10000, 0.64},
                                                                    {0x20000, 0.37},
                                                                    {0x40000, 0.31},
                                                                    {0x80000, 0.11},
                                                                    {0x100000, 0.03}}};
constexpr double fewestInTurn = 4;

}  // namespace

double wholeInL2(double filled, double stored) {
  constexpr double alone = 1.9, among = 2.33;
  return alone + (among - alone) * std::min(1.0, 2 * filled / std::max(1.0, stored));
}

// The share of a warp's stores to sectors that it has just stored to which L1 puts together.
double MemoryPath::mergedShare(const Operation& o, bool inTurn) const {
  if (setup_.residentWarps <= 1) return mergedAtATime.front().second;
  if (!inTurn) return between(mergedAtATime, std::pow(o.lines, 3) * setup_.warpsOfBlock);
  return between(mergedInTurn, std::pow(o.lines, 5) * std::max(fewestInTurn, setup_.warpsOfBlock));
}

// What memory brings into L2 cannot be written before it is there.
void MemoryPath::overwrite(uint64_t address, uint32_t block, double pieces, double now) {
  const Asked& asked = askedAt(address, block);
  if (asked.address != address || asked.block != block || now > asked.at - card_.l2Latency) return;
  const double each = overwrittenNs * card_.clockGhz * setup_.activeMultiprocessors;
  if (l2_ - now < mostOverwritten * each) l2_ += pieces * each;
}

// Stores go to L2 at once and to memory later, without anybody waiting for that. Returns when L2
// has taken them.
double MemoryPath::write(const Operation& o, double now, const Asker& asker) {
  const double all = o.memorySectors + o.l2Sectors + o.l1Sectors;
  const double merged = o.mergedSectors * mergedShare(o, asker.inTurn);
  const double sectors = all - merged;
  const double lines = o.lines * sectors / std::max(1.0, all);
  // What fills its sectors goes out as it is; else each line's mask of bytes goes with it.
  const bool fillsSectors = double(o.lanes) * o.bytes >= all * bytesOfSector;
  const double cycles =
      sectors * card_.storeSectorCycles + (fillsSectors ? 0 : lines * card_.storeMaskCycles);
  outbound_ = std::max(outbound_, now) + cycles;
  // L2 takes sectors, and masks, one after the other.
  stored_ += sectors;
  const double whole = o.isLocal ? wholeOwnInL2 : wholeInL2(filled_, stored_);
  const double taken = fillsSectors ? sectors * whole : (sectors + lines) * pieceInL2;
  l2_ = std::max(l2_, now) + taken * bytesOfSector / l2BytesPerCycle_;
  if (o.overwrites) overwrite(o.address, asker.block, fillsSectors ? sectors : lines, now);
  // One of L2's units takes what all write to a sector, one store after the other.
  const double ofAll = o.sectorsOfAll * sectors / std::max(1.0, all);
  if (ofAll > 0)
    sectorsOfAll_ = std::max(sectorsOfAll_, now) +
                    ofAll * storeOfAllCycles * setup_.activeMultiprocessors / setup_.unitsOfAll;
  const double out = std::max({outbound_, l2_, sectorsOfAll_});
  if (!setup_.writesReachMemory || setup_.whatIf.perfectL2) return out;
  // Writing is dearer among reads: the memory has to turn round.
  written_ += o.memorySectors;
  const double weight = 1 + (writeWeight_ - 1) * std::min(1.0, read_ / std::max(1.0, written_));
  // Of a sector that is written in part, memory brings the rest.
  const double sectorsBrought = o.memorySectors + loneCost(o);
  const double sectorsMoved = o.memorySectors + loneCost(o) * loneWritten;
  const double brought = o.partialSectors * sectorsBrought / std::max(1.0, double(o.memorySectors));
  throughMemory((sectorsMoved + brought) * bytesOfSector * weight, o.lines, now);
  return out;
}

// How long L2's units are busy with an atomic. Floats take longer to be added at one address: lanes
// that update several sectors are elsewhere meanwhile.
double MemoryPath::turnsOf(const Operation& o) const {
  const double sectors = o.memorySectors + o.l2Sectors + o.l1Sectors;
  const double apart = o.ofFloats ? std::min(sectors > 1 ? sectors : 0, double(o.passes))
                                  : double(o.passes - o.wholeSectors);
  const double together = o.passes - apart;
  const double cycles = apart * card_.atomicSameAddressCycles +
                        together * (o.ofFloats ? floatAtomicCycles : card_.atomicWholeSectorCycles);
  return sectors > 1 && o.neededAt != Operation::never ? cycles * returnedTurns : cycles;
}

// What an atomic updates comes from memory, and goes back there later, with what is beside it.
double MemoryPath::update(const Operation& o, double now) {
  const double back = setup_.writesReachMemory ? o.partialSectors : 0;
  if (o.memorySectors + back == 0 || setup_.whatIf.perfectL2) return now;
  read_ += o.memorySectors;
  written_ += back;
  // What goes back is as lone as what came, and dearer among reads.
  const double lone = o.memorySectors > 0 ? loneCost(o) / o.memorySectors
                                          : card_.readGbps / card_.randomReadGbps - 1;
  const double dearer = 1 + backAmongReads * std::min(1.0, read_ / std::max(1.0, written_));
  const double moved = o.memorySectors + loneCost(o) + back * (1 + lone * dearer);
  const double come = throughMemory(moved * bytesOfSector, o.lines, now);
  return o.memorySectors > 0 ? come + card_.memoryLatency - card_.l2Latency : now;
}

}  // namespace estimate
