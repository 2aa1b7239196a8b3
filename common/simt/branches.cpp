#include "simt/branches.h"

#include <algorithm>
#include <vector>

#include "simt/block.h"
#include "simt/watchdog.h"

namespace simt {
namespace {

// Counts the branches at which the lanes parted: lanes that were in the same basic block for the
// same time went on to different ones.
void countDivergence(Thread* lanes, unsigned present) {
  struct Exits {
    uint32_t block, turn;       // turn: of the lane being looked at
    std::vector<int64_t> next;  // by turn; -1 unknown, -2 diverged
  };
  static std::vector<Exits> blocks;
  blocks.clear();
  const auto exitsOf = [](uint32_t block) -> Exits& {
    for (Exits& exits : blocks)
      if (exits.block == block) return exits;
    return blocks.emplace_back(Exits{block, 0, {}});
  };
  for (unsigned lane = 0; lane < present; ++lane) {
    for (Exits& exits : blocks) exits.turn = 0;
    for (size_t i = 0; i + 1 < lanes[lane].traced; ++i) {
      Exits& exits = exitsOf(lanes[lane].trace[i]);
      const uint32_t turn = exits.turn++;
      if (turn >= exits.next.size()) exits.next.resize(turn + 1, -1);
      const int64_t next = lanes[lane].trace[i + 1];
      if (exits.next[turn] == -1) {
        exits.next[turn] = next;
      } else if (exits.next[turn] != next && exits.next[turn] != -2) {
        exits.next[turn] = -2;
        ++runningBlock().counters.divergent_branches;
      }
    }
  }
}

}  // namespace

void closeTraces(unsigned warp) {
  Thread* const lanes = runningBlock().threads + warp * warpWidth;
  const unsigned present =
      std::min(warpWidth, runningBlock().kernelCall.threads - warp * warpWidth);
  for (unsigned i = 1; i < present; ++i)
    if (lanes[i].traced != lanes[0].traced ||
        !std::equal(lanes[i].trace.begin(), lanes[i].trace.begin() + ptrdiff_t(lanes[i].traced),
                    lanes[0].trace.begin())) {
      countDivergence(lanes, present);
      break;
    }
  // The basic block in which the lanes met goes on: its branch is still to come.
  for (unsigned i = 0; i < present; ++i)
    if (lanes[i].traced > 0) {
      lanes[i].trace[0] = lanes[i].trace[lanes[i].traced - 1];
      lanes[i].traced = 1;
    }
}

void enterBasicBlock(Thread& thread, const void* pc) {
  thread.lastBlock = pc;
  noteBasicBlock(thread, pc);
  if (thread.traced == thread.traceRoom) {
    Quiet quiet;
    thread.trace.resize(thread.traced * 2 + 64);
    thread.traceData = thread.trace.data();
    thread.traceRoom = thread.trace.size();
  }
  thread.traceData[thread.traced++] = uint32_t(reinterpret_cast<uintptr_t>(pc));
}

void forgetTraces() {
  for (Thread& thread : runningBlock().allThreads()) thread.traced = 0;
}

}  // namespace simt
