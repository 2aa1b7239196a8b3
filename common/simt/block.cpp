#include "simt/block.h"

#include <algorithm>

#include "simt/access.h"
#include "simt/faults.h"
#include "simt/meetings.h"
#include "simt/watchdog.h"

namespace simt {

Block::Block() {
  for (unsigned i = 0; i < maxThreads; ++i) threads[i].rank = i;
}

constinit thread_local Thread* running = nullptr;

Block& runningBlock() {
  static Block block;
  return block;
}

std::span<Thread> Block::warpThreads(unsigned warp) {
  const unsigned first = warp * warpWidth;
  return {threads + first, std::min(warpWidth, kernelCall.threads - first)};
}

void runBlock() {
  static std::vector<Thread*> group;
  group.clear();
  for (Thread& thread : runningBlock().allThreads()) group.push_back(&thread);
  beginBlock();
  runningBlock().ready.clear();
  makeReady(group);
  for (;;) {
    while (Thread* thread = runningBlock().ready.take()) {
      resume(*thread);
      runningBlock().last = thread;
      settlePendingWrites();
      if (!runningBlock().fault && thread->state == State::atWarpOperation)
        tryWarpOperation(*thread);
      if (!runningBlock().fault && thread->state == State::finished) {
        noteProgress();
        afterReturn(*thread);
      }
      if (runningBlock().fault) return;
    }
    if (releaseActiveMasks()) continue;
    if (releaseBlock()) continue;
    const auto unfinished = [](const Thread& t) { return t.state != State::finished; };
    if (std::ranges::any_of(runningBlock().allThreads(), unfinished)) raise(stuck());
    blockMet();
    return;
  }
}

}  // namespace simt
