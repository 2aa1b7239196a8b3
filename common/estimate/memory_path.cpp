#include "estimate/memory_path.h"

#include <algorithm>
#include <cmath>

namespace estimate {

namespace {

using Kind = Operation::Kind;

// Of the load/store pipe, cycles of a warp at a barrier: beside two loads and a store by each of 64
// warps, which take 194 cycles of an H200, a barrier makes it 224; beside four loads 289, not 262.
// Of these 0.40 to 0.47 gaps that the model has by itself are a part.
constexpr double passOfBarrier = 0.35;
// How many requests of a scheduler wait in front of the units that all share; and for how many
// cycles one keeps the way there busy. On an H100 a scheduler whose warps do nothing else issues a
// store to shared memory in 4.0 cycles, a load in 2.0, beside others that do the same and alone.
constexpr size_t queueDepth = 8;
constexpr double issueOfStore = 4, issueOfOthers = 2;
// Requests to global memory have one queue: of loads of 32 lines, 4 warps of an H200 issue 18 each
// before one has to wait, 8 warps 9 each, of 8 lines 4 warps 23, of which 20 are through by then.
constexpr size_t globalQueueDepth = 72;
// Of each place that the lanes of a warp read constants from: 4 and 32 places take 2.02 and 2.00,
// one 2.06, and of 8 bytes 2.1.
constexpr double constantCycles = 2.0;
// Sectors that are read 64, 128 and 256 bytes apart cost 2.0, 2.3 and 2.8 of those that are read
// whole.
constexpr double sparseCost = 2.3;
// Of L2's time, what a line takes of which one sector is wanted, in sectors: random pieces of 32
// bytes come at 0.60 sectors a cycle and multiprocessor of an H200, of 64 and 128 at 1.07.
constexpr double loneInL2 = 1.7;
// Of what all blocks load L2 is asked for this part, as multiprocessors that ask for the same at
// about the same time are asked for together: 0.28 to 0.45 of it for tables of 2 and 8 MiB, 0.75
// where blocks begin one after the other.
constexpr double ofAllAtL2 = 0.4;
// Of a load from an array that atomics update, each sector takes as much of L2's units as so many
// turns: 51.8 us where loads from another array take 39.8. And a multiprocessor sends a lane's
// update of an address that another of the warp has updated so much later (4.8, 6.2 and 5.3 cycles
// where 8, 16 and 32 lanes have one).
constexpr double updatedTurns = 0.4, atomicAgainCycles = 5.7;
constexpr double portBytesPerCycle = 64;  // between L2 and one multiprocessor
constexpr double writeQueue = 2000;       // … in front of memory, when stores have to wait
constexpr double outboundQueue = 256;     // … and behind it, of stores
constexpr double atomicQueue = 2000;      // … in front of L2's units for atomics
constexpr double settled = 2000;          // cycles from which on a rate of writes says something
// How much later than soonest a line comes is by chance, as exponential times are: of 4 and of 16
// loads of one warp, 16 KiB apart, the last comes 170 and 390 cycles later than one does; of lines
// side by side, 70 and 160, what finding the channels makes among it. What a block asks for in one
// page within a short time comes together.
constexpr double withinPage = 0.2, together = 150;
constexpr uint64_t bytesOfPage = 4096;
constexpr double mostLeftOver = 1000;  // cycles of its share of memory that others can use later

bool isShared(Kind kind) {
  return kind == Kind::sharedLoad || kind == Kind::sharedStore || kind == Kind::sharedAtomic;
}

// Two queues stand in front of the pipe: one of requests to global memory, one of all else.
bool waitsInSharedQueue(Kind kind) {
  return isShared(kind) || kind == Kind::constantLoad || kind == Kind::shuffle ||
         kind == Kind::vote || kind == Kind::specialRegister;
}

// Spreads what is asked for in a turn of a loop over a table of up to 2^24 places.
uint64_t hashOf(uint64_t asked, uint64_t turn) {
  return (asked + turn * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u >> 40;
}

}  // namespace

MemoryPath::MemoryPath(const Card& card, const Setup& setup)
    : card_(card),
      setup_(setup),
      writeWeight_(2 * card.readGbps / card.mixedGbps - 1),
      queues_(size_t(card.schedulers), queueDepth),
      globalQueue_(1, globalQueueDepth),
      constants_(setup.activeMultiprocessors / card.multiprocessors),
      memory_(size_t(card.memoryChannels)) {
  const double share = card.clockGhz * setup.activeMultiprocessors;
  readBytesPerCycle_ = std::min(portBytesPerCycle, card.readGbps / share);
  l2BytesPerCycle_ = std::min(portBytesPerCycle, card.l2Gbps / share);
}

double MemoryPath::passesOf(const Operation& o, bool isInL1) const {
  switch (o.kind) {
    // Pairs of a load and a store with conflicts of 1, 2, 8 and 32 ways take 2.0, 4.0, 16 and 64.
    case Kind::sharedLoad:
    case Kind::sharedStore:
    case Kind::sharedAtomic: return std::max(1.0, double(o.passes));
    case Kind::constantLoad: return std::max(1.0, double(o.passes)) * constantCycles;
    case Kind::shuffle: return card_.shuffleCycles;
    case Kind::specialRegister: return 1;
    case Kind::vote: return card_.reduceCycles;
    case Kind::load: {
      // What is not there comes in line by line.
      const double missing =
          isInL1 ? 0 : std::min(double(o.lines), double(o.memorySectors + o.l2Sectors));
      const double passes = o.passes > 0 ? std::max(double(o.passes), missing) : o.lines;
      return std::max(1.0, passes) * card_.loadPassCycles;
    }
    default: return std::max(1.0, double(o.lines)) * card_.loadPassCycles;
  }
}

double MemoryPath::roomAt(Kind kind, size_t scheduler) const {
  if (waitsInSharedQueue(kind) || kind == Kind::blockBarrier) return queues_.roomAt(scheduler);
  double pipe = globalQueue_.roomAt(0);
  if (kind != Kind::store && kind != Kind::atomic) return pipe;
  if (kind == Kind::atomic) pipe = std::max(pipe, std::max(atomics_, again_) - atomicQueue);
  const double written = *std::min_element(memory_.begin(), memory_.end()) - writeQueue;
  return std::max({pipe, std::max(outbound_, sectorsOfAll_) - outboundQueue, written});
}

Wait MemoryPath::roomWait() const {
  return work_ - workWithoutConflicts_ > 4 * double(queueDepth) ? Wait::bankConflicts : Wait::pipe;
}

// A fixed sequence of numbers: requests find different banks and distances.
uint64_t MemoryPath::nextRandom() {
  uint64_t x = ++requests_ * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

// Of 1 on average.
double MemoryPath::exponential() {
  return -std::log((double(nextRandom() >> 11) + 1) / double(uint64_t(1) << 53));
}

// Where what the request asks for stands that all blocks load: the one that is ahead brings it for
// those on its multiprocessor that come before so much else has come that L1 has lost it. None for
// another request.
MemoryPath::Brought* MemoryPath::placeInL1(const Operation& o, const Asker& asker) {
  if (!o.isOfAll || o.memorySectors + o.l2Sectors == 0) return nullptr;
  if (brought_.empty()) brought_.resize(1 << 16);
  return &brought_[hashOf(o.address / 32, asker.turn) % brought_.size()];
}

// When the last of the sectors that are not in L1 has come.
double MemoryPath::fetch(const Operation& o, double now) {
  const double fromMemory = setup_.whatIf.perfectL2 ? 0 : o.memorySectors;
  const double all = o.memorySectors + o.l2Sectors;
  linesIn_ += std::min<uint64_t>(o.lines, o.memorySectors + o.l2Sectors);
  const double filled = all + (fillInL2 - 1) * fromMemory;
  const double taken = std::max(filled, loneInL2 * std::min(all, double(o.lines)));
  // What is behind stores to one place waits for them.
  now = std::max(now, sectorsOfAll_ - outboundQueue);
  const double atL2 = o.isOfAll ? ofAllAtL2 * taken : taken;
  const double cycles =
      std::max(atL2 * bytesOfSector / l2BytesPerCycle_, taken * bytesOfSector / portBytesPerCycle);
  const double turns = o.updatedSectors * updatedTurns * card_.atomicSameAddressCycles *
                       setup_.activeMultiprocessors;
  l2_ = std::max(l2_, now) + cycles + turns / std::max(1.0, card_.atomicUnits);
  // What is scattered finds the units of atomics busy, and keeps them so.
  const double scattered = taken > filled ? cycles : 0;
  atomics_ = std::max(atomics_, now) + scattered + turns / setup_.atomicUnits;
  // What another block asked for at about the same time is still on its way.
  // Where blocks come and go, what all read is there, and neighbours begin at about the same time.
  const bool isOnItsWay =
      !setup_.whatIf.perfectL2 &&
      (setup_.allAtOnce ? o.othersSectors > 0 : o.neighboursSectors > 0 && o.commonLines == 0);
  filled_ += fromMemory;
  if (fromMemory == 0) return l2_ + (isOnItsWay ? card_.memoryLatency : card_.l2Latency);
  const double cost = fromMemory + loneCost(o);
  read_ += fromMemory;
  const double come = throughMemory(cost * bytesOfSector, o.lines, now);
  if (o.broughtSectors >= o.memorySectors) return std::max(l2_, come) + card_.l2Latency;
  // The memory does not turn round for each request: who reads waits while it writes, the more the
  // more of its time it writes. Half of it is all that writes among as many reads can have.
  const double writing = written_ * bytesOfSector / std::max(now, settled) / readBytesPerCycle_;
  const double turning = card_.memoryWriteDelay * std::min(1.0, 2 * writing);
  return std::max(l2_, come) + card_.memoryLatency + turning + lastLine(o, now);
}

// How much later than one does on average the last of a request's lines comes. What is asked for in
// one page of the memory within a short time comes at about the same time.
double MemoryPath::lastLine(const Operation& o, double now) {
  if (card_.memoryLatencySpread == 0) return 0;
  const double ofLine = withinPage * card_.memoryLatencySpread;
  const unsigned lines = std::max(1u, std::min(unsigned(o.lines), unsigned(o.memorySectors)));
  double last = 0;
  for (unsigned i = 0; i < lines; ++i) {
    const uint64_t number = (o.address + o.extent * i / lines) / bytesOfPage;
    Page& page = pages_[number % pages_.size()];
    if (page.number != number || now > page.at + together)
      page = {number, now, card_.memoryLatencySpread * exponential()};
    last = std::max(last, page.later + ofLine * exponential());
  }
  return last - card_.memoryLatencySpread - ofLine;
}

// What the memory does beside the sectors: of a half of a line it brings both, and the more so
// where nothing of the lines beside it is wanted.
double MemoryPath::loneCost(const Operation& o) const {
  return o.aloneSectors * (card_.readGbps / card_.randomReadGbps - 1) +
         o.sparseSectors * (sparseCost - 1);
}

void MemoryPath::driftApart() { leftOver_ = mostLeftOver; }

// The lines of a request find different channels of the memory more or less busy: when the last of
// them is through.
double MemoryPath::throughMemory(double bytes, double lines, double now) {
  const double pieces = std::max(1.0, lines);
  const double cycles = bytes / pieces * double(memory_.size()) / readBytesPerCycle_;
  double last = now;
  for (double piece = 0; piece < pieces; ++piece) {
    double& channel = memory_[nextRandom() % memory_.size()];
    channel = std::max(channel, now - leftOver_) + cycles;
    last = std::max(last, channel);
  }
  return last;
}

MemoryPath::Arrival MemoryPath::arrive(double now) {
  const double through = loadStore_.take(now, passOfBarrier, now) + passOfBarrier;
  return {through, passBarrier(through, now)};
}

double MemoryPath::passBarrier(double from, double now) {
  const double cycles = card_.barrierCyclesPerWarp / 2;
  return barriers_.take(from, cycles, now) + cycles;
}

// When the last of the places has come of those that are read from start on, one after the other;
// the pipe goes on while lines come.
double MemoryPath::readConstants(const Operation& o, double start) {
  const bool isListed = o.passes > 1 && setup_.constantLines;
  double at = start;
  for (uint16_t i = 0; i < o.passes; ++i)
    at += constants_.read(isListed ? (*setup_.constantLines)[o.address + i] : uint32_t(o.address),
                          start);
  return std::max(at, constants_.bringingUntil());
}

bool MemoryPath::isInL1(const Brought* place, const Operation& o, const Asker& asker) const {
  return place && place->address == o.address && place->turn == asker.turn &&
         place->block != asker.block && place->at > 0 &&
         double(linesIn_ - place->after) < setup_.l1Lines;
}

// So long after it is through the pipe.
MemoryPath::Answer MemoryPath::after(double pipe, double latency, Wait wait) const {
  return {pipe + latency, pipe + latency - (work_ - workWithoutConflicts_), wait};
}

MemoryPath::Answer MemoryPath::inL1(double pipe) const {
  return after(pipe, card_.l1Latency - card_.loadPassCycles, Wait::l1);
}

// A load that is through the pipe then.
MemoryPath::Answer MemoryPath::load(const Operation& o, double pipe, const Asker& asker) {
  Brought* const place = placeInL1(o, asker);
  const bool isBrought = isInL1(place, o, asker);
  if (isBrought && place->at > inL1(pipe).at) return {place->at, place->at, Wait::l2};
  if (isBrought || o.memorySectors + o.l2Sectors == 0) return inL1(pipe);
  const double at = fetch(o, pipe);
  if (place) *place = {o.address, asker.turn, linesIn_, asker.block, at};
  const bool memory = o.memorySectors > 0 && !setup_.whatIf.perfectL2;
  if (memory) askedAt(o.address, asker.block) = {o.address, at, asker.block};
  return {at, at, memory ? Wait::memory : Wait::l2};
}

// The same where warps of a block ask for it together: the first brings it, the others wait until
// it has come. On an H200 warps stay in step so that read one row after the other: all had the same
// row to wait for, and all end at the same time.
MemoryPath::Answer MemoryPath::loadTogether(const Operation& o, double pipe, const Asker& asker) {
  if (o.together == 0) return load(o, pipe, asker);
  if (together_.empty()) together_.resize(1 << 12);
  Together& together = together_[(hashOf(o.together, asker.turn) + asker.block) % together_.size()];
  const bool isAsked =
      together.number == o.together && together.turn == asker.turn && together.block == asker.block;
  const Operation& its = asker.listed->operationOf(o.together);
  if (!isAsked) together = {o.together, asker.turn, asker.block, load(its, pipe, asker)};
  const bool hasOwn = &its != &o && o.memorySectors + o.l2Sectors > 0;
  const Answer answer = hasOwn ? load(o, pipe, asker) : inL1(pipe);
  return together.answer.at > answer.at ? together.answer : answer;
}

MemoryPath::Answer MemoryPath::issue(const Operation& o, double now, const Asker& asker) {
  const double conflicts = isShared(o.kind) ? o.conflicts : 0;
  const double wanted = passesOf(o, o.kind == Kind::load && isInL1(placeInL1(o, asker), o, asker));
  const double passes = wanted - (setup_.whatIf.noBankConflicts ? conflicts : 0);
  const double start = loadStore_.take(now, passes, now), pipe = start + passes;
  if (waitsInSharedQueue(o.kind)) {
    const bool stores = o.kind == Kind::sharedStore || o.kind == Kind::sharedAtomic;
    queues_.add(asker.scheduler, start, now + (stores ? issueOfStore : issueOfOthers));
  } else {
    globalQueue_.add(0, start, 0);
  }
  work_ = std::max(work_, now) + passes;
  workWithoutConflicts_ = std::max(workWithoutConflicts_, now) + wanted - conflicts;
  switch (o.kind) {
    case Kind::load: return loadTogether(o, pipe, asker);
    case Kind::store: {
      const double out = write(o, pipe, asker);
      return {out, out, Wait::pipe};
    }
    case Kind::atomic: {
      // L2's units take loads as well: 17.7 us of loads at random places and 28 us of atomics at
      // others take 39.8 us together (H100).
      const double turns = turnsOf(o) * setup_.activeMultiprocessors;
      l2_ = std::max(l2_, pipe) + turns / std::max(1.0, card_.atomicUnits);
      atomics_ = std::max(atomics_, pipe) + turns / setup_.atomicUnits;
      const double sectors = o.memorySectors + o.l2Sectors + o.l1Sectors;
      const double again = o.ofFloats ? 0 : std::max(0.0, o.passes - sectors);
      again_ = std::max(again_, pipe) + again * atomicAgainCycles;
      const double at = std::max({atomics_, again_, update(o, pipe)}) + card_.atomicLatency;
      return {at, at, Wait::atomic};
    }
    case Kind::constantLoad: {
      const double at = std::max(readConstants(o, start), pipe) + card_.sharedLatency - 1;
      return {at, at, Wait::sharedMemory};
    }
    case Kind::shuffle:
      return after(pipe, card_.shuffleLatency - card_.shuffleCycles, Wait::shuffle);
    case Kind::vote: return after(pipe, card_.reduceLatency - card_.reduceCycles, Wait::shuffle);
    default: return after(pipe, card_.sharedLatency - 1, Wait::sharedMemory);
  }
}

}  // namespace estimate
