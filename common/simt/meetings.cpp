// Threads that wait for each other: who can go on, and what is wrong when nobody can.
#include "simt/meetings.h"

#include <cstdio>
#include <utility>

#include "simt/access.h"
#include "simt/block.h"
#include "simt/faults.h"
#include "simt/primitives.h"
#include "simt/symbols.h"

namespace simt {
namespace {

// A few words on why a thread does not come.
std::string whereabouts(const Thread& thread) {
  if (thread.state == State::finished) return "has returned";
  if (thread.state == State::atBlockBarrier) return "waits for __syncthreads" + at(thread.pc);
  if (thread.op == WarpOp::barrier) return "waits for __syncwarp" + at(thread.pc);
  return "waits for a warp operation" + at(thread.pc);
}

// True when all the threads that still run wait at one and the same block barrier.
bool atOneBarrier(std::vector<Thread*>& waiting) {
  waiting.clear();
  for (Thread& thread : runningBlock().allThreads()) {
    if (thread.state == State::finished) continue;
    if (thread.state != State::atBlockBarrier) return false;
    if (!waiting.empty() && thread.line != waiting[0]->line) return false;
    waiting.push_back(&thread);
  }
  return !waiting.empty();
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
  runningBlock().current->state = State::paused;
  ++runningBlock().pausedThreads;
  Quiet quiet;
  suspend();
}

void finishThread() {
  Quiet quiet;
  meetAt(nullptr);
  runningBlock().current->state = State::finished;
  suspend();
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
      if (!(thread.mask >> other.lane() & 1)) continue;
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
    if (thread.line != first->line)
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
