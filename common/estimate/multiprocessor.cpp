// Long, as every step of a multiprocessor reads and changes the state of all its warps.
#include "estimate/multiprocessor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "estimate/memory_path.h"
#include "estimate/warp_state.h"

namespace estimate {

namespace {

using Kind = Operation::Kind;
using Stage = WarpState::Stage;

constexpr size_t eitherUnit = 3;
// Blocks that wait 2,000 cycles, by which the card's value is measured, see their end late, and
// read which thread they are. Blocks of 32 to 1,024 threads that do 32 or 256 dependent
// multiply-adds take 250 to 280 cycles more than these of an H100, 300 where they have 256 threads.
constexpr double waitedTooLong = 100, mostTurningRound = 8;
constexpr double never = std::numeric_limits<double>::infinity();

// Results that come later than those of sums take their registers' ports, and the scheduler issues
// nothing for so many cycles: beside 4, 8 and 16 products on an H100, of a shuffle 0.4, 0.8 and
// 0.8, of the unit for special functions beside 8 and 16 0.7 and 0.6, of a load of 16 bytes from
// shared memory 1.4 and 1.7, and 0.7 where each lane has others; of smaller loads 0.1. What a
// request reads does so, too: on an H200, of 1 to 8 at a time with 2 to 16 products for each, a
// load from L1 for 0.2 to 1.3 cycles, a store of one number for 0.2 to 1.8, one to shared memory
// for 0.3 to 2.1.
constexpr double resultOfSpecial = 0.65, resultOfShuffle = 0.6, resultOfWideLoad = 1.3;
constexpr double addressesOfLoad = 1, readByStore = 1.5, readBySharedStore = 0.5;
double cyclesOfPorts(const Operation& o) {
  switch (o.kind) {
    case Operation::Kind::shuffle: return resultOfShuffle;
    case Operation::Kind::sharedLoad: return o.bytes == 16 ? resultOfWideLoad : 0;
    case Operation::Kind::load: return addressesOfLoad;
    case Operation::Kind::store: return readByStore;
    case Operation::Kind::sharedStore: return readBySharedStore;
    default: return 0;
  }
}

class Multiprocessor {
 public:
  Multiprocessor(const std::vector<const Block*>& blocks, size_t sources, const Card& card,
                 const Setup& setup)
      : blocks_(blocks), card_(card), setup_(setup), path_(card, setup) {
    for (const Block* block : blocks)
      warpsPerBlock_ = std::max(warpsPerBlock_, block->warps.size());
    places_.resize(std::min<size_t>(setup.residentBlocks, blocks.size()));
    warps_.resize(places_.size() * warpsPerBlock_);
    schedulers_.resize(size_t(card.schedulers));
    for (size_t w = 0; w < warps_.size(); ++w) schedulers_[schedulerOf(w)].push_back(w);
    specialBusy_.assign(schedulers_.size(), 0);
    blockedTo_.assign(schedulers_.size(), 0);
    held_.assign(schedulers_.size(), 0);
    issued_.assign(schedulers_.size(), 0);
    unitsBusy_.assign(schedulers_.size(), {});
    run_.lines.resize(std::max<size_t>(sources, 1));
  }

  Run run() {
    while (ended_ < blocks_.size()) {
      startBlocks();
      bool issued = false;
      for (size_t s = 0; s < schedulers_.size(); ++s) issued |= issueOne(s);
      now_ = issued ? now_ + 1 : std::max(now_ + 1, std::ceil(nextEvent()));
    }
    run_.cycles = run_.ends.empty() ? 0 : run_.ends.back();
    emptyPlaces();
    return std::move(run_);
  }

 private:
  struct Place {  // of a resident block
    const Block* block = nullptr;
    uint32_t number = 0;
    unsigned alive = 0, arrived = 0, barriers = 0;
    double arrivedAt = 0;  // the last at the barrier
    double freeFrom = 0;
  };

  void startBlocks();
  bool issueOne(size_t scheduler);
  void takeTurns(WarpState& warp, size_t scheduler, size_t place);
  void goBehindItsBlock(size_t scheduler, size_t place);
  double nextEvent() const;
  void issue(WarpState& warp, size_t index, size_t scheduler);
  void prepare(WarpState& warp, size_t index);
  void beginRun(WarpState& warp);
  double unitsFree(const WarpState& warp, size_t scheduler) const;
  double constantsThere(const WarpState& warp, size_t scheduler);
  void arrive(WarpState& warp, size_t index);
  void openBarrier(size_t place);
  void end(WarpState& warp, size_t index);
  void emptyPlaces();
  void account(WarpState& warp, size_t index, Wait wait, double until);
  void accountReady(WarpState& warp, size_t index, size_t scheduler);
  void hold(size_t scheduler, double cycles);

  size_t schedulerOf(size_t index) const;
  Place& placeOf(size_t index) { return places_[index / warpsPerBlock_]; }

  const std::vector<const Block*>& blocks_;
  const Card& card_;
  const Setup& setup_;
  MemoryPath path_;
  size_t warpsPerBlock_ = 1;
  std::vector<Place> places_;
  std::vector<WarpState> warps_;
  std::vector<std::vector<size_t>> schedulers_;
  std::vector<double> specialBusy_;    // of each scheduler, its unit for special functions
  std::vector<double> blockedTo_;      // of each scheduler, until when it issues nothing
  std::vector<double> held_, issued_;  // … for how long in all, and how many instructions it issued
  std::vector<std::array<double, 3>> unitsBusy_;  // likewise, its units for integers and doubles
  double now_ = 0, nextStart_ = 0;
  size_t started_ = 0, ended_ = 0;
  Run run_;
};

// Warps are dealt to the schedulers in turn. Where a block has a multiple of as many, the block at
// the next place begins one scheduler further, so that its first warp is not always the same one's.
size_t Multiprocessor::schedulerOf(size_t index) const {
  const size_t schedulers = schedulers_.size();
  const size_t further = warpsPerBlock_ % schedulers == 0 ? index / warpsPerBlock_ : 0;
  return (index + further) % schedulers;
}

void Multiprocessor::account(WarpState& warp, size_t index, Wait wait, double until) {
  const double cycles = until - warp.accountedTo;
  if (!(cycles > 0)) return;
  run_.warpCycles[size_t(wait)] += cycles;
  const size_t known = warp.position.atEnd() ? warp.storedAt : warp.position.operation().source;
  const size_t line = known < run_.lines.size() ? known : 0;
  run_.lines[line][size_t(wait)] += cycles;
  if (setup_.timeline && warp.accountedTo < setup_.timelineTo) {
    std::vector<Interval>& all = run_.timeline;
    all.push_back(
        {uint32_t(index), placeOf(index).number, warp.accountedTo, until, wait, uint32_t(line)});
  }
  warp.accountedTo = until;
}

// A warp could have gone on until now: its scheduler has issued for others, or nothing, in shares
// as until now.
void Multiprocessor::accountReady(WarpState& warp, size_t index, size_t scheduler) {
  const double share = held_[scheduler] / std::max(1.0, held_[scheduler] + issued_[scheduler]);
  const double ready = std::min(warp.accountedTo, now_);
  account(warp, index, Wait::arithmetic, ready + share * (now_ - ready));
  account(warp, index, Wait::issueSlot, now_);
}

// Behind what a scheduler issues now it issues nothing for so many cycles.
void Multiprocessor::hold(size_t scheduler, double cycles) {
  blockedTo_[scheduler] = std::max(blockedTo_[scheduler], now_) + 1 + cycles;
  held_[scheduler] += cycles;
}

void Multiprocessor::startBlocks() {
  for (size_t p = 0; p < places_.size() && started_ < blocks_.size(); ++p) {
    Place& place = places_[p];
    if (place.block || place.freeFrom > now_ || nextStart_ > now_) continue;
    place.block = blocks_[started_];
    place.number = uint32_t(started_++);
    if (started_ > places_.size()) path_.driftApart();
    place.alive = unsigned(place.block->warps.size());
    place.arrived = place.barriers = 0;
    nextStart_ = now_ + card_.blockStartCycles;
    const Block& block = *place.block;  // which may end while it starts
    for (std::vector<size_t>& mine : schedulers_)
      std::stable_partition(mine.begin(), mine.end(),
                            [&](size_t index) { return index / warpsPerBlock_ != p; });
    for (size_t w = 0; w < block.warps.size(); ++w) {
      const size_t index = p * warpsPerBlock_ + w;
      WarpState& warp = warps_[index];
      const double before = warp.accountedTo;
      warp = WarpState{};
      warp.stage = Stage::running;
      warp.position = Position(&block.warps[w]);
      run_.warpCycles[size_t(Wait::startAndTail)] += now_ - before;
      warp.accountedTo = warp.readyAt = now_;
      prepare(warp, index);
    }
  }
}

double Multiprocessor::nextEvent() const {
  double next = never;
  for (const WarpState& warp : warps_)
    if (warp.stage == Stage::running) next = std::min(next, warp.readyAt);
  if (started_ < blocks_.size())
    for (const Place& place : places_)
      if (!place.block) next = std::min(next, std::max(place.freeFrom, nextStart_));
  return next;
}

// The scheduler takes a warp of the oldest block that has one that can go on: so some blocks get
// ahead, and those that began together do not stay in step. Blocks of 256 threads that load a
// number and then do 256 dependent multiply-adds, 8 at a time, take 157 us on an H100: 155 so, 145
// where a new block has the place of the one before among the others, 143 where all warps take
// turns, 147 the youngest first.
bool Multiprocessor::issueOne(size_t scheduler) {
  if (blockedTo_[scheduler] >= now_ + 1) return false;
  const std::vector<size_t>& mine = schedulers_[scheduler];
  for (size_t m = 0; m < mine.size(); ++m) {
    const size_t index = mine[m];
    WarpState& warp = warps_[index];
    if (warp.stage != Stage::running || warp.readyAt > now_) continue;
    const Kind kind = warp.position.operation().kind;
    const bool usesPipe = kind != Kind::instructions && kind != Kind::warpBarrier &&
                          kind != Kind::gridBarrier && kind != Kind::fence;
    if (usesPipe) {
      const double room = path_.roomAt(kind, scheduler);
      if (room > now_) {
        accountReady(warp, index, scheduler);
        account(warp, index, path_.roomWait(), room);
        warp.readyAt = room;
        continue;
      }
    }
    if (kind == Kind::instructions) {
      if (const double there = constantsThere(warp, scheduler); there > now_) {
        accountReady(warp, index, scheduler);
        account(warp, index, Wait::constants, there);
        warp.readyAt = there;
        continue;
      }
      const double free = unitsFree(warp, scheduler);
      if (free > now_) {
        accountReady(warp, index, scheduler);
        account(warp, index, Wait::arithmetic, free);
        warp.readyAt = free;
        continue;
      }
    }
    issue(warp, index, scheduler);
    takeTurns(warp, scheduler, m);
    return true;
  }
  return false;
}

// A block's warps take turns. ptxas says behind which instructions another goes first, mostly those
// whose result comes some cycles later. Any other wait leaves a warp its place: of eight that do
// independent multiply-adds in a loop, on an H100 two share their scheduler from mark to mark.
// Where ptxas is not known a warp goes on until it waits for longer than for shared memory.
void Multiprocessor::takeTurns(WarpState& warp, size_t scheduler, size_t place) {
  const bool isRunning = warp.stage == Stage::running;
  if (isRunning && !warp.isInOrder && warp.readyAt <= now_ + card_.sharedLatency) return;
  if (isRunning && warp.isInOrder) {
    if (warp.yields < 1) return;
    warp.yields -= std::floor(warp.yields);
  }
  goBehindItsBlock(scheduler, place);
}

void Multiprocessor::goBehindItsBlock(size_t scheduler, size_t place) {
  std::vector<size_t>& mine = schedulers_[scheduler];
  for (; place + 1 < mine.size(); ++place) {
    if (mine[place] / warpsPerBlock_ != mine[place + 1] / warpsPerBlock_) return;
    std::swap(mine[place], mine[place + 1]);
  }
}

// When the constant is there that the warp's next instruction reads for all lanes.
double Multiprocessor::constantsThere(const WarpState& warp, size_t scheduler) {
  if (warp.uniformShare == 0 || warp.uniform + warp.uniformShare < 1) return 0;
  const bool isIndexed = warp.position.operation().isIndexed;
  return path_.readUniform(warp.position.constantLine(), isIndexed, now_, scheduler);
}

// When the units that the warp's next instruction may use can take one.
double Multiprocessor::unitsFree(const WarpState& warp, size_t scheduler) const {
  double free = 0;
  const auto& busy = unitsBusy_[scheduler];
  for (size_t u = 0; u < busy.size(); ++u)
    if (warp.unitShares[u] > 0) free = std::max(free, busy[u] - 1);
  if (warp.unitShares[eitherUnit] > 0) free = std::max(free, std::min(busy[0], busy[1]) - 1);
  if (warp.special + warp.specialShare >= 1) free = std::max(free, specialBusy_[scheduler] - 1);
  return free;
}

// One instruction of the warp goes out in this cycle.
void Multiprocessor::issue(WarpState& warp, size_t index, size_t scheduler) {
  accountReady(warp, index, scheduler);
  account(warp, index, Wait::issuing, now_ + 1);
  run_.instructions += 1;
  issued_[scheduler] += 1;
  const Operation& o = warp.position.operation();
  if (o.kind == Kind::instructions) {
    warp.issuesLeft -= 1;
    warp.yields += warp.yieldShare;
    auto& busy = unitsBusy_[scheduler];
    for (size_t u = 0; u < busy.size(); ++u) busy[u] = std::max(busy[u], now_) + warp.unitShares[u];
    double& either = busy[busy[1] < busy[0]];
    either = std::max(either, now_) + warp.unitShares[eitherUnit];
    hold(scheduler, warp.controlShare * (card_.controlCycles - 1) + warp.registerShare +
                        warp.specialShare * resultOfSpecial);
    // It issues in whole cycles; what it was ready earlier than that is not lost.
    warp.readyAt = std::max(std::max(warp.readyAt, now_ - 1) + warp.gap, now_ + 1);
    warp.special += warp.specialShare;
    if (warp.special >= 1) {
      warp.special -= 1;
      double& busy = specialBusy_[scheduler];  // the chain has how long a result takes
      busy = std::max(busy, now_) + card_.specialCycles;
    }
    warp.uniform += warp.uniformShare;
    if (warp.uniform >= 1) warp.uniform -= 1;
    if (warp.issuesLeft >= 1) {
      account(warp, index, Wait::arithmetic, warp.readyAt);
      return;
    }
    if (!o.isInOrder) warp.readyAt = std::max(warp.readyAt, now_ + card_.arithmeticLatency);
    account(warp, index, Wait::arithmetic, warp.readyAt);
  } else if (o.kind == Kind::blockBarrier || o.kind == Kind::gridBarrier) {
    arrive(warp, index);
    return;
  } else if (o.kind == Kind::fence) {
    warp.readyAt = std::max(now_, warp.storesOut) + card_.fenceLatency;
    account(warp, index, Wait::fence, warp.readyAt);
  } else {
    warp.readyAt = now_ + 1;
    if (const double ports = cyclesOfPorts(o); ports > 0) hold(scheduler, ports);
    if (o.kind != Kind::warpBarrier) {
      const MemoryPath::Answer answer = path_.issue(o, now_,
                                                    {scheduler, warp.inTurn, placeOf(index).number,
                                                     warp.position.turn(), placeOf(index).block});
      const bool isAtomic = o.kind == Kind::atomic;
      const double out = isAtomic ? answer.at - card_.atomicLatency : answer.at;
      if ((o.kind == Kind::store || isAtomic) && out > warp.storesOut) {
        warp.storesOut = out;
        warp.storedAt = o.source;
      }
      if (o.neededAt != Operation::never)
        warp.expected.push_back(
            {warp.position.stepOf(o.neededAt), answer.at, answer.withoutConflicts, answer.wait});
    }
  }
  warp.position.advance();
  prepare(warp, index);
}

// Sets when the next operation can be issued, and accounts for the wait until then.
void Multiprocessor::prepare(WarpState& warp, size_t index) {
  while (!warp.position.atEnd() && warp.position.operation().kind == Kind::instructions) {
    beginRun(warp);
    if (warp.issuesLeft >= 1) break;
    warp.position.advance();
  }
  if (warp.position.atEnd()) return end(warp, index);
  std::sort(warp.expected.begin(), warp.expected.end(),
            [](const Expected& a, const Expected& b) { return a.at < b.at; });
  std::erase_if(warp.expected, [&](const Expected& value) {
    if (value.step > warp.position.step()) return false;
    if (value.at > warp.readyAt) {
      warp.inTurn |= value.wait == Wait::memory || value.wait == Wait::l2;
      account(warp, index, value.wait, std::max(warp.readyAt, value.withoutConflicts));
      account(warp, index, Wait::bankConflicts, value.at);
      warp.readyAt = value.at;
    }
    return true;
  });
}

void Multiprocessor::beginRun(WarpState& warp) {
  const Operation& o = warp.position.operation();
  warp.carried += o.count;
  warp.issuesLeft = std::floor(warp.carried);
  warp.carried -= warp.issuesLeft;
  warp.gap = o.count > 0 ? std::max(1.0, o.chain * card_.arithmeticLatency / double(o.count)) : 1;
  warp.specialShare = o.count > 0 ? double(o.special) / double(o.count) : 0;
  warp.uniformShare = o.count > 0 ? double(o.uniformReads) / double(o.count) : 0;
  for (size_t u = 0; u < warp.unitShares.size(); ++u)
    warp.unitShares[u] = o.count > 0 ? double(o.unitCycles[u]) / double(o.count) : 0;
  warp.isInOrder = o.isInOrder;
  warp.yieldShare = o.count > 0 ? double(o.yields) / double(o.count) : 0;
  warp.registerShare = o.count > 0 ? double(o.registerCycles) / double(o.count) : 0;
  warp.controlShare = o.count > 0 ? double(o.control) / double(o.count) : 0;
}

// What the barriers of a multiprocessor take in and let go they do one warp after the other,
// whatever blocks it is of: 64 warps that do nothing else take 128 to 136 cycles in blocks of 2, 4,
// 8, 16 and 32 warps, and those of one block of 32 take 77. Of a loop with a barrier, which warps
// begin one after the other, one block of 16 takes 55 cycles a turn on an H200, four 136.
void Multiprocessor::arrive(WarpState& warp, size_t index) {
  Place& place = placeOf(index);
  warp.stage = Stage::atBarrier;
  const MemoryPath::Arrival arrival = path_.arrive(now_);
  account(warp, index, Wait::pipe, arrival.throughPipe);
  place.arrivedAt = std::max(place.arrivedAt, arrival.at);
  ++place.arrived;
  if (setup_.whatIf.freeBarriers) {
    --place.arrived;
    warp.stage = Stage::running;
    warp.readyAt = now_ + 1;
    warp.position.advance();
    prepare(warp, index);
  } else if (place.arrived == place.alive) {
    openBarrier(index / warpsPerBlock_);
  }
}

void Multiprocessor::openBarrier(size_t p) {
  Place& place = places_[p];
  place.arrived = 0;
  ++place.barriers;
  const double open = std::max(now_, place.arrivedAt) + card_.barrierLatency;
  const size_t warps = place.block->warps.size();  // the block may end here
  for (size_t w = 0; w < warps; ++w) {
    const size_t index = p * warpsPerBlock_ + w;
    WarpState& warp = warps_[index];
    if (warp.stage != Stage::atBarrier) continue;
    warp.stage = Stage::running;
    warp.readyAt = path_.passBarrier(open, now_);
    if (place.barriers == 1) warp.inTurn = false;
    account(warp, index, Wait::barrier, warp.readyAt);
    warp.position.advance();
    prepare(warp, index);
  }
}

void Multiprocessor::end(WarpState& warp, size_t index) {
  const size_t p = index / warpsPerBlock_;
  Place& place = places_[p];
  warp.stage = Stage::absent;
  account(warp, index, Wait::pipe, warp.storesOut);  // a warp ends when its stores are on their way
  const double at = std::max(warp.accountedTo, now_ + 1);
  warp.accountedTo = at;
  --place.alive;
  if (place.alive == 0) {
    for (size_t w = 0; w < place.block->warps.size(); ++w) {
      WarpState& other = warps_[p * warpsPerBlock_ + w];
      run_.warpCycles[size_t(Wait::noWork)] += std::max(0.0, at - other.accountedTo);
      other.accountedTo = std::max(other.accountedTo, at);
    }
    const double warps = std::min(double(place.block->warps.size()), mostTurningRound);
    place.freeFrom = at + card_.blockTurnaroundCycles + card_.blockTurnaroundCyclesPerWarp * warps -
                     waitedTooLong;
    place.block = nullptr;
    ++ended_;
    run_.ends.push_back(at);
    if (place.number == 0) run_.endOfFirst = at;
  } else if (place.arrived > 0 && place.arrived == place.alive) {
    openBarrier(p);
  }
}

// Places that stay empty until all have ended.
void Multiprocessor::emptyPlaces() {
  for (const WarpState& warp : warps_)
    run_.warpCycles[size_t(Wait::startAndTail)] += std::max(0.0, run_.cycles - warp.accountedTo);
}

}  // namespace

Run runMultiprocessor(const std::vector<const Block*>& blocks, size_t sources, const Card& card,
                      const Setup& setup) {
  return Multiprocessor(blocks, sources, card, setup).run();
}

}  // namespace estimate
