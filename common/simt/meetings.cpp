// Threads that wait for each other: who can go on, and what is wrong when nobody can.
#include "simt/meetings.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "simt/access.h"
#include "simt/block.h"
#include "simt/faults.h"
#include "simt/primitives.h"
#include "simt/symbols.h"
#include "simt/watchdog.h"

namespace simt {
namespace {

// A few words on why a thread does not come.
std::string whereabouts(const Thread& thread) {
  if (thread.state == State::finished) return "has returned";
  if (thread.state == State::atBlockBarrier) return "waits for __syncthreads" + at(thread.pc);
  if (thread.op == WarpOp::barrier) return "waits for __syncwarp" + at(thread.pc);
  return "waits for a warp operation" + at(thread.pc);
}

// The lines of the calls that led to a thread's barrier.
std::string callPath(const Thread& thread) {
  std::string path = pathOf(thread.pc);
  for (unsigned i = std::min(thread.callDepth, maxCalls); i > 1; --i)
    path += pathOf(thread.calls[i - 1]);
  return path;
}

// Whether two threads wait at the same barrier, reached by the same calls. The compiler may have
// doubled a call: then it is the lines that tell.
bool sameBarrier(const Thread& a, const Thread& b) {
  if (a.line != b.line || a.parameter != b.parameter || a.callDepth != b.callDepth) return false;
  const unsigned depth = std::min(a.callDepth, maxCalls);
  // The first call is the executor's, which may have several places.
  if (a.pc == b.pc && (depth < 2 || std::equal(a.calls + 1, a.calls + depth, b.calls + 1)))
    return true;
  return callPath(a) == callPath(b);
}

// True when all the threads that still run wait at one and the same block barrier.
bool atOneBarrier(std::vector<Thread*>& waiting) {
  waiting.clear();
  for (Thread& thread : runningBlock().allThreads()) {
    if (thread.state == State::finished) continue;
    if (thread.state != State::atBlockBarrier) return false;
    if (!waiting.empty() && !sameBarrier(thread, *waiting[0])) return false;
    waiting.push_back(&thread);
  }
  return !waiting.empty();
}

// The barrier completes, but the Programming Guide asks for all threads of the block.
void reportMissed(const Thread& waiting) {
  Block& block = runningBlock();
  if (!instrumented() || !settings().findFaults) return;
  if (block.faults.has(Fault::Kind::missedBarrier, nullptr, waiting.pc)) return;
  const Thread* gone = nullptr;
  for (const Thread& thread : block.allThreads())
    if (thread.state == State::finished && !gone) gone = &thread;
  Fault fault =
      makeFault(Fault::Kind::missedBarrier,
                "__syncthreads" + at(waiting.pc) + " completes without " + threadName(*gone) +
                    ", which has returned and never reached it: all threads of a block "
                    "must, or none",
                {&waiting, gone}, {waiting.pc});
  block.faults.add({std::move(fault), nullptr, waiting.pc});
}

}  // namespace

std::string maskName(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

uint64_t wait(State state, const void* pc) {
  meetAt(pc);
  Block& block = runningBlock();
  Thread& self = *block.current;
  self.state = state;
  self.pc = pc;
  if (state == State::atActiveMask) ++block.threadsAtActiveMask;
  const bool mayComplete = state == State::atWarpOperation && arrive(self);
  if (mayComplete) block.arrived = &self;
  suspend(mayComplete);
  return self.result;
}

void pause() {
  if (runningBlock().trace.on()) runningBlock().trace.settleStores(*runningBlock().current);
  noteLongTurn();
  runningBlock().current->state = State::paused;
  ++runningBlock().pausedThreads;
  Quiet quiet;
  suspend();
}

void finishThread() {
  Quiet quiet;
  meetAt(nullptr);
  noteProgress();
  Block& block = runningBlock();
  Thread& self = *block.current;
  self.state = State::finished;
  // Lanes that named it in a mask no longer wait for it.
  WarpLog& log = block.logs[self.warp()];
  log.returnedLanes |= 1u << self.lane();
  if (log.waitingLanes != 0)
    for (Thread& other : block.warpThreads(self.warp()))
      if (other.state == State::atWarpOperation && arrive(other)) block.arrived = &other;
  suspend(block.arrived != nullptr);
}

void makeReady(const std::vector<Thread*>& group) {
  for (Thread* thread : group) thread->state = State::ready;
  runningBlock().ready.add(group);
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
    runningBlock().trace.noteMeeting(lanes);
    makeReady(lanes);
  }
  return true;
}

bool releaseBlock() {
  std::vector<Thread*> waiting;
  if (!atOneBarrier(waiting)) return false;
  int count = 0;
  for (const Thread* thread : waiting) count += thread->operand != 0;
  const int all = count == int(waiting.size());
  const int results[] = {0, count, all, count > 0, 0};
  for (Thread* thread : waiting) thread->result = uint64_t(results[thread->parameter]);
  if (waiting.size() < runningBlock().kernelCall.threads) reportMissed(*waiting[0]);
  noteProgress();
  noteBarrier(*waiting[0]);
  ++runningBlock().counters.barriers;
  runningBlock().trace.noteMeeting(waiting);
  blockMet();
  makeReady(waiting);
  return true;
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

int blockBarrier(int predicate, int mode, int line) {
  Quiet quiet;
  runningBlock().current->line = line;
  runningBlock().current->operand = predicate != 0;
  runningBlock().current->parameter = mode;
  return int(wait(State::atBlockBarrier, __builtin_return_address(0)));
}

}  // namespace simt
