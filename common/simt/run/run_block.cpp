#include "simt/run/run_block.h"

#include <algorithm>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/repetition.h"
#include "simt/paths/warp_log.h"
#include "simt/run/access.h"
#include "simt/run/block.h"
#include "simt/run/meetings.h"
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

void runBlock() {
  Block& block = runningBlock();
  std::vector<Thread*> group;
  for (Thread& thread : block.allThreads()) group.push_back(&thread);
  beginBlock();
  block.ready.clear();
  block.waitsForBlocks = false;
  block.asyncCopies.threads.clear();
  block.makeReady(group);
  // Warp operations go on at once, but for threads that would wait for ever beside them.
  constexpr unsigned mostOperations = 256;
  unsigned operations = 0;
  std::vector<Thread*> arrivals;  // of operations that wait for the round's end
  for (;;) {
    while (Thread* thread = block.ready.take()) {
      resume(*thread);
      if (block.fault) return;
      if (block.arrived) {
        Thread* const arrived = std::exchange(block.arrived, nullptr);
        if (watchesStates || (block.pausedThreads > 0 && ++operations > mostOperations))
          arrivals.push_back(arrived);
        else
          tryWarpOperation(*arrived);
      }
      if (block.fault) return;
      if (!std::exchange(block.waitsForBlocks, false)) continue;
      letOtherBlocksRun();
      if (block.fault) return;
    }
    if (watchesStates) endRound();
    if (block.fault) return;
    if (std::exchange(block.waitsForBlocks, false)) letOtherBlocksRun();
    if (block.fault) return;
    operations = 0;
    if (!arrivals.empty()) {
      for (Thread* const arrived : std::exchange(arrivals, {})) tryWarpOperation(*arrived);
      resumePausedThreads();
      if (block.fault) return;
      continue;
    }
    if (resumePausedThreads() || releaseActiveMasks() || releaseBlock()) {
      if (block.fault) return;
      continue;
    }
    const auto unfinished = [](const Thread& t) { return t.state != State::finished; };
    if (std::ranges::any_of(block.allThreads(), unfinished)) raise(stuck());
    if (!block.fault) blockMet();
    block.trace.endBlock();
    return;
  }
}

}  // namespace simt
