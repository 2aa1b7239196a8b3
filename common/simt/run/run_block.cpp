#include "simt/run/run_block.h"

#include <algorithm>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/repetition.h"
#include "simt/paths/warp_log.h"
#include "simt/run/meetings.h"
#include "simt/run/rows.h"
#include "simt/run/waiting_blocks.h"
#include "simt/threads/fibers.h"

namespace simt {

static bool resumePausedThreads() {
  if (std::exchange(runningBlock().pausedThreads, 0) == 0) return false;
  noteRounds(roundOfLongTurns);
  for (unsigned warp = 0; warp < runningBlock().warps(); ++warp) {
    const auto isPaused = [](const Thread& thread) { return thread.state == State::paused; };
    if (std::ranges::none_of(runningBlock().warpThreads(warp), isPaused)) continue;
    resumePaused(warp);
  }
  return true;
}

static void beginToLook(Block& block) {
  if (block.trace.choose()) block.plans.clear();
  const bool traced = block.trace.on();
  block.tellsSteps = block.unsettled = traced;
  block.tellsLoads = block.findFaults;
  block.observers = {&block.requestCounter};
  if (block.findFaults) block.observers.push_back(&block.raceSearch);
  if (traced) block.observers.push_back(&block.trace);
  for (Observer* const observer : block.observers) observer->begins();
  forgetSharedWrites();
  if (block.kernelCall().inClusters()) countSharedAsWritten();
}

static void beginBlock(Block& block) {
  block.observers.clear();
  block.tellsSteps = block.unsettled = block.tellsLoads = false;
  if (!block.isPlain) beginToLook(block);
  for (unsigned warp = 0; warp < block.warps(); ++warp)
    if (block.isPlain)
      block.logs[warp].waitingLanes = block.logs[warp].returnedLanes = 0;
    else
      discardLog(warp);
#ifndef SIMT_BOOST_SWITCH
  block.inARow = block.isPlain && block.ready.isForward();
#endif
  if (!block.inARow) beginThreads(block.allThreads());
  block.pausedThreads = block.threadsAtActiveMask = block.finishedThreads = 0;
  block.atBarrier = {};
  block.partBarriers.clear();
  block.arrived = nullptr;
  block.turns = 0;
  beginRounds();
}

static void runThreads(Block& block) {
  Launch& launch = runningLaunch();
  block.ready.clear();
  block.waitsForBlocks = false;
  block.asyncCopies.threads.clear();
  std::vector<Thread*> group;
  if (block.inARow)
    group.push_back(&block.threads[0]);
  else
    for (Thread& thread : block.allThreads()) group.push_back(&thread);
  block.makeReady(group);
  // Warp operations go on at once, but for threads that would wait for ever beside them.
  constexpr unsigned mostOperations = 256;
  unsigned operations = 0;
  std::vector<Thread*> arrivals;  // of operations that wait for the round's end
  for (;;) {
    while (Thread* thread = block.ready.take()) {
      resume(*thread);
      if (launch.isOver || block.inARow) return;
      if (block.arrived) {
        Thread* const arrived = std::exchange(block.arrived, nullptr);
        if (launch.windows.someOpen || (block.pausedThreads > 0 && ++operations > mostOperations))
          arrivals.push_back(arrived);
        else
          tryWarpOperation(*arrived);
      }
      if (launch.isOver) return;
      if (!std::exchange(block.waitsForBlocks, false)) continue;
      letOtherBlocksRun();
      if (launch.isOver) return;
    }
    if (launch.windows.someOpen) endRound();
    if (launch.isOver) return;
    if (std::exchange(block.waitsForBlocks, false)) letOtherBlocksRun();
    if (launch.isOver) return;
    operations = 0;
    if (!arrivals.empty()) {
      for (Thread* const arrived : std::exchange(arrivals, {})) tryWarpOperation(*arrived);
      resumePausedThreads();
      if (launch.isOver) return;
      continue;
    }
    if (resumePausedThreads() || releaseActiveMasks() || releaseBlock()) {
      if (launch.isOver) return;
      continue;
    }
    const auto unfinished = [](const Thread& t) { return t.state != State::finished; };
    if (std::ranges::any_of(block.allThreads(), unfinished)) raise(stuck());
    if (launch.isOver) return;
    if (!block.isPlain) blockMet();
    for (Observer* const observer : block.observers) observer->ends();
    return;
  }
}

// What was raised is told behind what the block's threads did before.
static void tellRaised(Block& block) {
  if (!block.raised) return;
  lookUpAllLoads();
  block.launch().faults.add({*std::exchange(block.raised, {})});
  settlePendingWrites();
}

void runBlock() {
  Block& block = runningBlock();
  beginBlock(block);
  runThreads(block);
  tellRaised(block);
}

}  // namespace simt
