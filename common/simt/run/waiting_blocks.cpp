#include "simt/run/waiting_blocks.h"
#include "simt/memory/copies.h"

#include <algorithm>
#include <vector>

#include "simt/find/block_races.h"
#include "simt/find/repetition.h"
#include "simt/find/watchdog.h"
#include "simt/paths/warp_log.h"
#include "simt/run/access.h"
#include "simt/run/block.h"
#include "simt/run/parallel_blocks.h"
#include "simt/run/participants.h"

extern uint3 blockIdx;

namespace simt {
namespace {

// Each thread's stack takes two of the system's pieces of memory, of which there are some 65000.
constexpr size_t mostAtATime = 64, mostThreads = 8192;

// Of the running launch.
std::span<const uint64_t> launched;
size_t begun = 0;  // of them
std::vector<Participant*> sideBySide;
std::vector<char> asideMemory;  // of the block that runs by itself, while it does not
SharedWrites asideWrites;

void startMore() {
  const KernelCall& call = runningBlock().kernelCall;
  const size_t most = std::min(mostAtATime, mostThreads / call.threads);
  for (size_t i = 0; i < most && begun < launched.size(); ++i) {
    Participant& p = participantNumber(i);
    if (std::ranges::find(sideBySide, &p) != sideBySide.end()) continue;
    start(p, call, launched[begun++]);
    p.cooperative = false;
    sideBySide.push_back(&p);
  }
}

// Where all of them only do again what they did before: a fault.
void lookForRepetition(Block& mine) {
  static std::vector<BlockAside> aside;
  aside = {{&mine, &asideMemory}};
  for (Participant* p : sideBySide) aside.push_back({&p->block, &p->sharedMemory});
  if (!endJointRound(aside, roundOfTurns)) return;
  mine.fault = repetitionOf(aside);
  mine.faults.add({*mine.fault});
}

// A turn for each; what they find goes to the block that runs by itself, which mine is.
void turnForEach(Block& mine) {
  bool someEnded = false;
  for (Participant* p : sideBySide) {
    takeTurn(*p, mine.faults);
    if (p->block.fault) {
      mine.fault = p->block.fault;
      break;
    }
    someEnded |= !p->spins;
  }
  if (!mine.fault && !someEnded) lookForRepetition(mine);
  blockOfThisOsThread = &mine;
  if (mine.fault) {
    abandon(sideBySide);
    for (const Participant* p : sideBySide) mine.counters += p->block.counters;
    sideBySide.clear();
    return;
  }
  std::erase_if(sideBySide, [&](const Participant* p) {
    if (!p->spins) mine.counters += p->block.counters;
    return !p->spins;
  });
}

}  // namespace

void runInTurns(std::span<const uint64_t> all, void (*runOne)(uint64_t),
                const std::function<bool(uint64_t)>& restRan) {
  launched = all;
  begun = 0;
  beginJointRounds();
  Block& mine = runningBlock();
  while (begun < launched.size() && !mine.fault && !restRan(begun)) {
    runOne(launched[begun++]);
    while (!mine.fault && !sideBySide.empty()) turnForEach(mine);
  }
  abandon(sideBySide);
  sideBySide.clear();
  launched = {};
}

bool hasOtherBlocks() { return participantNow() || !sideBySide.empty() || begun < launched.size(); }

void letOtherBlocksRun() {
  giveUpCopy();  // others may run elsewhere
  closeWindowOfBlock();
  if (Participant* const p = participantNow()) {
    p->spins = true;
    giveTurnAway(*p);
    return;
  }
  Block& mine = runningBlock();
  if (mine.findFaults) {
    lookUpAllLoads();
    checkAgainstOtherBlocks(false);
  }
  putSharedMemoryAside(asideMemory, asideWrites);
  startMore();
  turnForEach(mine);
  ::blockIdx = {mine.index.x, mine.index.y, mine.index.z};
  forgetRecentRanges();
  putSharedMemoryBack(asideMemory, asideWrites);
}

}  // namespace simt
