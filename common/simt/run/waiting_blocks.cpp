#include "simt/run/waiting_blocks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "simt/find/other_threads.h"
#include "simt/find/repetition.h"
#include "simt/memory/worker_process.h"
#include "simt/run/resident_blocks.h"

extern constinit thread_local uint3 blockIdx;

namespace simt {
namespace {

// A GPU has room for more; but each takes memory.
constexpr size_t mostBlocks = 544, mostThreads = 36864;
constexpr unsigned turnsUntilMore = 4;  // of all, in which nothing changes

bool hasRoom(const Launch& launch, size_t blocks) {
  const size_t most = std::min({blocks, mostBlocks, mostThreads / launch.call.threads()});
  return launch.sideBySide.size() < most && launch.begun < launch.order.size();
}

void startMore(Launch& launch) {
  while (hasRoom(launch, launch.mostSideBySide))
    launch.sideBySide.push_back(
        std::make_shared<ResidentBlock>(launch, launch.order[launch.begun++]));
}

// For these all may wait. False where there are none.
bool beginMore(Launch& launch) {
  if (!hasRoom(launch, mostBlocks)) return false;
  launch.mostSideBySide = std::min(2 * launch.mostSideBySide, mostBlocks);
  startMore(launch);
  return true;
}

bool nothingChanges(Launch& launch) {
  const bool changed = std::exchange(launch.changesSeen, launch.changes) != launch.changes;
  launch.idleTurns = changed ? 0 : launch.idleTurns + 1;
  return launch.idleTurns > 0 && launch.idleTurns % turnsUntilMore == 0;
}

// Where all of them only do again what they did before, and no others begin: a fault.
void lookForRepetition(Launch& launch, Block& mine) {
  std::vector<BlockAside> aside = {{&mine, &mine.asideMemory}};
  for (const auto& p : launch.sideBySide) aside.push_back({&p->block, &p->block.asideMemory});
  if (!endJointRound(aside, roundOfTurns) || beginMore(launch) || letOtherThreadsGoOn()) return;
  launch.isOver = true;
  launch.faults.add({repetitionOf(aside)});
}

// A turn for each, while mine, which runs by itself, waits.
void turnForEach(Launch& launch, Block& mine) {
  bool someEnded = false;
  for (const auto& p : launch.sideBySide) {
    p->takeTurn();
    if (launch.isOver) break;
    someEnded |= !p->spins;
  }
  runOnThisOsThread(&mine);
  std::erase_if(launch.sideBySide, [&](const auto& p) { return launch.isOver || !p->spins; });
  if (launch.isOver || someEnded) return;
  if (!nothingChanges(launch) || !beginMore(launch)) lookForRepetition(launch, mine);
  runOnThisOsThread(&mine);
  if (launch.isOver) launch.sideBySide.clear();
}

}  // namespace

void runInTurns(Launch& launch, Block& block, void (*runOne)(uint64_t),
                const std::function<bool(uint64_t)>& restRan) {
  while (launch.begun < launch.order.size() && !launch.isOver && !restRan(launch.begun)) {
    runOne(launch.order[launch.begun++]);
    while (!launch.isOver && !launch.sideBySide.empty()) turnForEach(launch, block);
  }
}

void letOtherBlocksRun() {
  giveUpWorker("has blocks that wait for each other");  // others may run elsewhere
  closeWindowOfBlock();
  Launch& launch = runningLaunch();
  launch.waits = true;
  if (ResidentBlock* const p = launch.turn) {
    p->spins = true;
    p->giveTurnAway();
    return;
  }
  Block& mine = runningBlock();
  for (Observer* const observer : mine.observers) observer->turnEnds(false);
  putSharedMemoryAside(mine);
  startMore(launch);
  turnForEach(launch, mine);
  ::blockIdx = {mine.index.x, mine.index.y, mine.index.z};
  mine.recentRanges.forget();
  putSharedMemoryBack(mine);
}

}  // namespace simt
