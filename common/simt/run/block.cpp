#include "simt/run/block.h"

#include <mutex>

#include "simt/threads/fibers.h"

namespace simt {
namespace {

struct Idle {
  std::mutex mutex;
  std::vector<Block*> blocks;
};
Idle& idle() {
  static auto& all = *new Idle;
  return all;
}

Block& anyBlock() {
  const std::scoped_lock lock(idle().mutex);
  if (idle().blocks.empty()) return *new Block;
  Block& block = *idle().blocks.back();
  idle().blocks.pop_back();
  return block;
}

}  // namespace

void runOnThisOsThread(Block* block) {
  blockOfThisOsThread = block;
  sharedWritesNow = block ? &block->sharedWrites : nullptr;
}

Block& takeBlock(SearchedLaunch& launch) {
  Block& block = anyBlock();
  block.launch_ = &launch;
  block.size = launch.call.threads();
  block.counters = {};
  block.changesSeen = 0;
  block.findFaults = launch.settings.findFaults;
  block.besideOthers = false;
  block.raised.reset();
  block.recentRanges.forget();
  startFibers(block);
  for (Thread& t : block.allThreads()) t.index = indexOf(t.rank, launch.call.block);
  block.ready.start(launch.settings.schedule);
  return block;
}

void giveBack(Block& block) {
  // A fault leaves fibers in the midst of the kernel.
  if (block.launch().isOver) block.fibers.abandon();
  block.current = nullptr;
  block.launch_ = nullptr;
  const std::scoped_lock lock(idle().mutex);
  idle().blocks.push_back(&block);
}

}  // namespace simt
