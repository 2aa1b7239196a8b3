// Threads that wait for each other: who can go on, and what is wrong when nobody can.
#include "simt/run/meetings.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "simt/device/primitives.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/repetition.h"
#include "simt/find/watchdog.h"
#include "simt/image/symbols.h"
#include "simt/paths/warp_log.h"
#include "simt/run/block.h"
#include "simt/run/rows.h"
#include "simt/threads/fibers.h"
#include "simt/threads/hand_over.h"

namespace simt {
namespace {

// A few words on why a thread does not come.
std::string whereabouts(const Thread& thread) {
  if (thread.state == State::finished) return "has returned";
  if (thread.state == State::atBlockBarrier) return "waits for __syncthreads" + at(thread.pc);
  if (thread.state == State::atPart) return "waits at a barrier" + at(thread.pc);
  if (thread.op == WarpOp::barrier) return "waits for __syncwarp" + at(thread.pc);
  return "waits for a warp operation" + at(thread.pc);
}

// The instructions of the calls that led to a thread's barrier, and the barrier itself first.
std::vector<const void*> callsOf(const Thread& thread) {
  std::vector<const void*> calls = {thread.pc};
  for (unsigned i = std::min<unsigned>(thread.callDepth, maxCalls); i > 1; --i)
    calls.push_back(thread.history->calls[i - 1]);
  return calls;
}

// Whether the lines of these calls are the same.
bool sameLines(const Thread& a, const Thread& b) {
  std::vector<const void*> of[2] = {callsOf(a), callsOf(b)}, all = of[0];
  all.insert(all.end(), of[1].begin(), of[1].end());
  lookUpSources(all);  // at once
  std::string paths[2];
  for (int i : {0, 1})
    for (const void* call : of[i]) paths[i] += pathOf(call);
  return paths[0] == paths[1];
}

// Whether two threads wait at the same barrier, reached by the same calls. The compiler may have
// doubled a call: then it is the lines that tell, and of a plain block the barriers' own alone.
bool sameBarrier(const Thread& a, const Thread& b) {
  if (a.place != b.place || a.barrierMode != b.barrierMode || a.callDepth != b.callDepth)
    return false;
  if (runningBlock().isPlain) return true;
  if (a.pc == b.pc && a.callHash == b.callHash) return true;
  const auto [found, isNew] =
      runningBlock().areSame.try_emplace({a.pc, a.callHash, b.pc, b.callHash, a.callDepth});
  if (isNew) found->second = sameLines(a, b);
  return found->second;
}

void noteArrival(Arrivals& all, Thread& self, const void* pc, int place, int mode) {
  self.pc = pc;
  self.place = place;
  self.barrierMode = uint8_t(mode);
  self.state = State::atBlockBarrier;
  ++all.count;
}

void arriveAtBarrier(Arrivals& all, Thread& self, const void* pc, int place, int mode) {
  noteArrival(all, self, pc, place, mode);
  if (all.count == 1) {
    all.first = &self;
    all.pc = pc;
    all.place = place;
    all.mode = mode;
    all.callHash = self.callHash;
  } else if (all.pc != pc || all.place != place || all.mode != mode ||
             all.callHash != self.callHash) {
    all.differ = all.differ || !sameBarrier(self, *all.first);
  }
}

// The barrier completes, but the Programming Guide asks for all threads of the block.
void reportMissed(const Thread& waiting) {
  Block& block = runningBlock();
  if (!block.findFaults) return;
  FaultLog& faults = block.launch().faults;
  if (faults.has(Fault::Kind::missedBarrier, nullptr, waiting.pc)) return;
  const Thread* gone = nullptr;
  for (const Thread& thread : block.allThreads())
    if (thread.state == State::finished && !gone) gone = &thread;
  Fault fault =
      makeFault(Fault::Kind::missedBarrier,
                "__syncthreads" + at(waiting.pc) + " completes without " + threadName(*gone) +
                    ", which has returned and never reached it: all threads of a block "
                    "must, or none",
                {&waiting, gone}, {waiting.pc});
  faults.add({std::move(fault), nullptr, waiting.pc});
}

}  // namespace

std::string maskName(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

uint64_t wait(State state, const void* pc) {
  Block& block = runningBlock();
  Thread& self = *block.current;
  endRowOf(block);
  if (!block.isPlain) meetAt(self, pc);
  self.state = state;
  self.pc = pc;
  if (launchNow().windows.someOpen) rememberStop(self, codeOf(pc, CodeTag::meeting));
  if (state == State::atActiveMask) ++block.threadsAtActiveMask;
  const bool mayComplete = state == State::atWarpOperation && arrive(self);
  if (mayComplete) block.arrived = &self;
  suspend(mayComplete);
  return self.result;
}

void pause(uint32_t code) {
  noteLongTurn();
  Block& block = runningBlock();
  if (launchNow().windows.someOpen) rememberStop(*block.current, code);
  block.current->state = State::paused;
  ++block.pausedThreads;
  Quiet quiet;
  suspend(block.waitsForBlocks);
}

bool finishThread() {
  Quiet quiet;
  Block& block = runningBlock();
  Thread& self = *block.current;
  if (!block.isPlain) {
    meetAt(self, nullptr);
    noteChange();
  }
  self.state = State::finished;
  ++block.finishedThreads;
  // Lanes that named it in a mask no longer wait for it.
  WarpLog& log = block.logs[self.warp()];
  log.returnedLanes |= 1u << self.lane();
  if (log.waitingLanes != 0)
    for (Thread& other : block.warpThreads(self.warp()))
      if (other.state == State::atWarpOperation && arrive(other)) block.arrived = &other;
  return block.arrived != nullptr;
}

bool releaseActiveMasks() {
  if (std::exchange(runningBlock().threadsAtActiveMask, 0) == 0) return false;
  for (Thread& first : runningBlock().allThreads()) {
    if (first.state != State::atActiveMask) continue;
    std::vector<Thread*> lanes;
    uint64_t mask = 0;
    for (Thread& other : runningBlock().warpThreads(first.warp()))
      if (other.state == State::atActiveMask && other.pc == first.pc) {
        lanes.push_back(&other);
        mask |= uint64_t(1) << other.lane();
      }
    for (Thread* lane : lanes) lane->result = lane->operand = mask;
    for (Observer* const observer : runningBlock().observers) observer->meet(lanes);
    runningBlock().makeReady(lanes);
  }
  return true;
}

bool releaseBlock() {
  Block& block = runningBlock();
  const Arrivals arrivals = block.atBarrier;
  // All the threads that still run must wait at one and the same barrier.
  if (arrivals.count == 0 || arrivals.differ) return false;
  if (arrivals.count + block.finishedThreads != block.size) return false;
  block.atBarrier = {};
  std::vector<Thread*>& waiting = block.passing;
  const std::span<Thread> all = block.allThreads();
  const bool asLastTime = block.finishedThreads == 0 && waiting.size() == all.size() &&
                          waiting.front() == &all.front() && waiting.back() == &all.back();
  if (!asLastTime) waiting.clear();
  for (Thread& thread : asLastTime ? all.first(0) : all)
    if (thread.state != State::finished) waiting.push_back(&thread);
  const Thread& first = *waiting[0];
  if (first.barrierMode != 0) {
    int count = 0;
    for (const Thread* thread : waiting) count += thread->operand != 0;
    const int all = count == int(waiting.size());
    const int results[] = {0, count, all, count > 0, 0};
    for (Thread* thread : waiting) thread->result = uint64_t(results[thread->barrierMode]);
  }
  if (!block.isPlain) {
    if (waiting.size() < block.size) reportMissed(first);
    noteProgress();
    noteBarrier(first);
    noteRounds(1);
    ++block.counters.barriers;
    for (Observer* const observer : block.observers) observer->meet(waiting);
    blockMet();
  }
  block.makeReady(waiting);
  return true;
}

void blockMet() {
  Block& block = runningBlock();
  for (unsigned warp = 0; warp < block.warps(); ++warp) closeLog(warp);
  orderAllThreads();
  if (block.paths.large()) clearPaths();
}

Fault stuck() {
  for (const Thread& thread : runningBlock().allThreads()) {
    if (thread.state != State::atWarpOperation) continue;
    for (const Thread& other : runningBlock().warpThreads(thread.warp())) {
      if (!(thread.mask >> other.lane() & 1) || other.state == State::finished) continue;
      if (other.state == State::atWarpOperation && other.op == thread.op &&
          other.mask == thread.mask)
        continue;
      const char* name = thread.op == WarpOp::barrier   ? "__syncwarp"
                         : thread.op == WarpOp::shuffle ? "a shuffle"
                         : thread.op == WarpOp::vote    ? "a vote"
                                                        : "a warp reduction";
      std::string why = whereabouts(other);
      if (other.state == State::atWarpOperation && other.mask != thread.mask)
        why += " with mask " + maskName(other.mask);
      return makeFault(Fault::Kind::warpOperation,
                       std::string(name) + at(thread.pc) + " with mask " + maskName(thread.mask) +
                           " waits for lane " + std::to_string(other.lane()) +
                           ", which never comes: " + threadName(other) + " " + why,
                       {&thread, &other}, {thread.pc, other.pc});
    }
  }
  for (const Thread& thread : runningBlock().allThreads())
    if (thread.state == State::atPart) return partNeverOver(thread);
  // All that wait, wait at block barriers: at different ones.
  const Thread* first = nullptr;
  for (const Thread& thread : runningBlock().allThreads()) {
    if (thread.state != State::atBlockBarrier) continue;
    if (!first) first = &thread;
    if (!sameBarrier(thread, *first))
      return makeFault(
          Fault::Kind::barrier,
          "the threads of the block wait for different barriers: " + threadName(*first) + " " +
              whereabouts(*first) + ", " + threadName(thread) + " " + whereabouts(thread),
          {first, &thread}, {first->pc, thread.pc});
  }
  return makeFault(Fault::Kind::barrier, "a barrier that never completes", {first}, {first->pc});
}

int passBarrier(int predicate, int mode, int place, const void* pc) {
  Thread& self = *runningBlock().current;
  endRowOf(runningBlock());
  if (mode != 0) self.operand = predicate != 0;
  if (running) meetAt(self, pc);
  letNoneRun();  // until somebody hands over to it again
  if (launchNow().windows.someOpen) rememberStop(self, codeOf(pc, CodeTag::meeting));
  arriveAtBarrier(runningBlock().atBarrier, self, pc, place, mode);
  suspend();
  return mode == 0 ? 0 : int(self.result);
}

#ifdef SIMT_BOOST_SWITCH
int blockBarrier(int predicate, int mode, int place) {
  return passBarrier(predicate, mode, place, __builtin_return_address(0));
}
#else
// Called by blockBarrier, see stack_switch.cpp. The last one, on a stack that is no thread's, for a
// plain barrier where the thread's path went on as expected, returns what leave() returns: in few
// instructions where the thread comes to the barrier at which others wait, and another can run.
extern "C" {
int simtSlowBarrier(int predicate, int mode, int place, const void* pc) {
  return passBarrier(predicate, mode, place, pc);
}
[[gnu::noinline]] const void* simtArriveSlowly(Thread* self, int place, const void* pc) {
  letNoneRun();
  Block& block = runningBlock();
  arriveAtBarrier(block.atBarrier, *self, pc, place, 0);
  return leave(block, *self);
}
const void* simtArriveAtBarrier(Thread* self, void* top, int place, const void* pc) {
  Block& block = runningBlock();
  endRowOf(block);
  self->stack.leftAt(top);
  if (launchNow().windows.someOpen) {
    running = nullptr;
    rememberStop(*self, top);
  }
  Arrivals& all = block.atBarrier;
  Thread* const next = block.ready.ahead(0);
  if (!next || block.ready.isRandom() || all.count == 0 || all.pc != pc || all.place != place ||
      all.mode != 0 || all.callHash != self->callHash || block.unsettled)
    return simtArriveSlowly(self, place, pc);
  noteArrival(all, *self, pc, place, 0);
  block.ready.skip();
  return handOver(block, *next);
}
}
#endif

}  // namespace simt
