// What the lanes of a warp do together: shuffles, votes, reductions, __syncwarp. Also the calls
// that a kernel makes for them.
#include <algorithm>
#include <bit>
#include <utility>

#include "simt/device/primitives.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/repetition.h"
#include "simt/find/watchdog.h"
#include "simt/image/symbols.h"
#include "simt/memory/worker_process.h"
#include "simt/paths/warp_log.h"
#include "simt/run/access.h"
#include "simt/run/block.h"
#include "simt/run/meetings.h"

namespace simt {
namespace {

uint64_t reduceLanes(const std::vector<Thread*>& lanes, WarpOp op, bool isSigned) {
  uint32_t total = uint32_t(lanes[0]->operand);
  for (size_t i = 1; i < lanes.size(); ++i) {
    const uint32_t v = uint32_t(lanes[i]->operand);
    const bool less = isSigned ? int32_t(v) < int32_t(total) : v < total;
    switch (op) {
      case WarpOp::reduceAdd: total += v; break;
      case WarpOp::reduceMin: total = less ? v : total; break;
      case WarpOp::reduceMax: total = less ? total : v; break;
      case WarpOp::reduceAnd: total &= v; break;
      case WarpOp::reduceOr: total |= v; break;
      default: total ^= v; break;
    }
  }
  return total;
}

uint64_t warpOperation(WarpOp op, unsigned mask, uint64_t operand, int parameter, const void* pc) {
  Thread& self = *runningBlock().current;
  if (!(mask >> self.lane() & 1))
    raise(makeFault(Fault::Kind::warpOperation,
                    "a warp operation with mask " + maskName(mask) + " is called by lane " +
                        std::to_string(self.lane()) + ", which the mask does not name",
                    {&self}, {pc}));
  self.op = op;
  self.mask = mask;
  self.operand = operand;
  self.parameter = parameter;
  return wait(State::atWarpOperation, pc);
}

// The value that a lane gets from one that has none to give. Whether the kernel uses it cannot be
// seen, so it is reported here.
void reportSource(const Thread& lane, unsigned source, std::span<const Thread> warp) {
  if (runningBlock().isPlain) giveUpWorker();
  FaultLog& faults = launchNow().faults;
  if (faults.has(Fault::Kind::warpOperation, nullptr, lane.pc)) return;
  std::string why = ", which its mask does not name";
  std::vector<const Thread*> who = {&lane};
  if (source >= warp.size()) {
    why = ", which the block does not have";
  } else if (lane.mask >> source & 1) {
    why = ", which has returned";
    for (const Thread& other : warp)
      if (who.size() == 1 && other.state == State::finished && (lane.mask >> other.lane() & 1))
        who.push_back(&other);
    if (who[1]->lane() != source) why += ", as has " + threadName(*who[1]);
  }
  Fault fault = makeFault(Fault::Kind::warpOperation,
                          threadName(lane) + " gets an undefined value: a shuffle" + at(lane.pc) +
                              " reads lane " + std::to_string(source) + why,
                          who, {lane.pc});
  faults.add({std::move(fault), nullptr, lane.pc});
}

constexpr uint64_t undefinedValue = 0xa5a5a5a5a5a5a5a5;

void shuffleLanes(const std::vector<Thread*>& lanes, std::span<Thread> warp) {
  ++runningBlock().counters.shuffles;
  for (Thread* lane : lanes) {
    const unsigned source = unsigned(lane->parameter);
    const bool named = source < warp.size() && (lane->mask >> source & 1);
    if (!named || warp[source].state == State::finished) {
      reportSource(*lane, source, warp);
      lane->result = undefinedValue;
      continue;
    }
    lane->result = warp[source].operand;
  }
}

}  // namespace

bool arrive(const Thread& thread) {
  Block& block = runningBlock();
  WarpLog& log = block.logs[thread.warp()];
  log.waitingLanes |= 1u << thread.lane();
  const uint32_t named =
      thread.mask & lanesOf(block.warpThreads(thread.warp())) & ~log.returnedLanes;
  return (log.waitingLanes & named) == named;
}

void tryWarpOperation(const Thread& arrival) {
  std::vector<Thread*> lanes;
  unsigned unfinished = 0;  // lanes of the warp that have not returned
  const std::span<Thread> warp = runningBlock().warpThreads(arrival.warp());
  for (Thread& thread : warp) {
    if (thread.state == State::finished) continue;  // the others do not wait for it
    unfinished |= 1u << thread.lane();
    if (!(arrival.mask >> thread.lane() & 1)) continue;
    if (thread.state != State::atWarpOperation || thread.op != arrival.op ||
        thread.mask != arrival.mask)
      return;
    lanes.push_back(&thread);
  }

  const bool isPlain = runningBlock().isPlain;
  for (Observer* const observer : runningBlock().observers) observer->meet(lanes);
  if (!isPlain && (arrival.mask & unfinished) == unfinished) closeLog(arrival.warp());
  runningBlock().logs[arrival.warp()].waitingLanes &= ~arrival.mask;
  switch (arrival.op) {
    case WarpOp::barrier:
      if (!isPlain) laneOrder(arrival.warp(), arrival.mask);
      break;
    case WarpOp::shuffle: shuffleLanes(lanes, warp); break;
    case WarpOp::vote: {
      uint64_t ballot = 0, voters = 0;
      for (const Thread* lane : lanes) {
        ballot |= uint64_t(lane->operand != 0) << lane->lane();
        voters |= uint64_t(1) << lane->lane();
      }
      for (Thread* lane : lanes) lane->result = ballot | voters << warpWidth;
      break;
    }
    default: {
      const uint64_t total = reduceLanes(lanes, arrival.op, arrival.parameter != 0);
      for (Thread* lane : lanes) lane->result = total;
    }
  }
  if (!isPlain) {
    noteProgress();
    noteRounds(1);
  }
  runningBlock().makeReady(lanes);
}

// Each of these is called by a kernel, so the return address is the place in the kernel.

void warpBarrier(unsigned mask) {
  Quiet quiet;
  warpOperation(WarpOp::barrier, mask, 0, 0, __builtin_return_address(0));
}

unsigned vote(Vote kind, unsigned mask, bool predicate) {
  Quiet quiet;
  const void* pc = __builtin_return_address(0);
  if (kind == Vote::active) return unsigned(wait(State::atActiveMask, pc));
  const uint64_t votes = warpOperation(WarpOp::vote, mask, predicate, 0, pc);
  const auto ballot = unsigned(votes), voters = unsigned(votes >> warpWidth);
  if (kind == Vote::ballot) return ballot;
  return kind == Vote::any ? ballot != 0 : ballot == voters;
}

// The source lane, as the hardware computes it; a lane without a source keeps its own value.
uint64_t shuffle(Shuffle kind, unsigned mask, uint64_t bits, int argument, int width) {
  Quiet quiet;
  const void* pc = __builtin_return_address(0);
  if (width < 1 || width > int(warpWidth) || !std::has_single_bit(unsigned(width)))
    raise(makeFault(
        Fault::Kind::warpOperation,
        "a shuffle of width " + std::to_string(width) + ": the width must be 1, 2, 4, 8, 16 or 32",
        {runningBlock().current}, {pc}));
  const int lane = int(runningBlock().current->lane());
  const int first = lane & ~(width - 1), last = first + width - 1;
  const int amount = argument & 31;
  int source = lane;
  switch (kind) {
    case Shuffle::index: source = first | (argument & (width - 1)); break;
    case Shuffle::up: source = lane - amount < first ? lane : lane - amount; break;
    case Shuffle::down: source = lane + amount > last ? lane : lane + amount; break;
    case Shuffle::exclusiveOr: source = (lane ^ amount) > last ? lane : lane ^ amount; break;
  }
  return warpOperation(WarpOp::shuffle, mask, bits, source, pc);
}

uint32_t reduce(Reduce kind, bool isSigned, unsigned mask, uint32_t value) {
  Quiet quiet;
  const auto op = WarpOp(int(WarpOp::reduceAdd) + int(kind));
  return uint32_t(warpOperation(op, mask, value, isSigned, __builtin_return_address(0)));
}

}  // namespace simt
