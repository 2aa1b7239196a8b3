#include "simt/find/watchdog.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "simt/device/intrinsics.h"
#include "simt/find/faults.h"
#include "simt/find/other_threads.h"
#include "simt/find/repetition.h"
#include "simt/find/searched_block.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simt/threads/fibers.h"

namespace simt {
namespace {

// An atomic that waits takes a handful of basic blocks and a change of fibers.
constexpr uint64_t costOfAtomicTurn = 1024;

// As many basic blocks as a path has room for, at least a part of them.
constexpr uint64_t costOfLongTurn = 512;
constexpr unsigned turnsOfLongTurn = 4;  // it takes as long as four warps' passing a barrier

// It may be a long computation: nobody knows what its registers come to.
bool waitedLongEnough(SearchedBlock& block) {
  const double now = double(std::clock()) / CLOCKS_PER_SEC;
  if (block.impatientSince == 0) block.impatientSince = now;
  return now - block.impatientSince >= block.launch().settings.longestComputation;
}

// Where others have changed something, it may be what somebody waits for.
void lookForChanges(SearchedBlock& block) {
  if (std::exchange(block.changesSeen, block.launch().changes) != block.changesSeen) noteProgress();
}

void takeTurn(const Thread& self, const void* pc, uint64_t cost) {
  SearchedBlock& block = runningSearch();
  lookForChanges(block);
  block.idleBasicBlocks += cost;
  // Under a random schedule a thread may be left out for some time: never for this long.
  const uint64_t fewestTurns = 64 * uint64_t(block.size);
  const uint64_t blocks = block.kernelCall().blocks();
  if (++block.idleTurns > fewestTurns && block.idleBasicBlocks > launchNow().settings.patience &&
      (!block.someoneComputes || waitedLongEnough(block)) && !letOtherThreadsGoOn())
    raise(makeFault(Fault::Kind::endlessLoop,
                    threadName(self) + " loops for ever" + at(pc) +
                        ": nothing changes any more that it could wait for" +
                        (blocks > 8 ? " (some blocks run side by side, not all)" : "") +
                        remarkOnHost(self, self.history->spin.asks),
                    {&self}, {pc}));
}

void countTurns(const Thread& thread, const void* pc, unsigned turns) {
  SearchedBlock& block = runningSearch();
  block.turns += turns;
  if (block.turns > launchNow().settings.mostTurns)
    raise(makeFault(
        Fault::Kind::endlessLoop,
        threadName(thread) + " loops for ever" + at(pc) + ", or for longer than anybody waits",
        {&thread}, {pc}));
}

}  // namespace

void noteBarrier(const Thread& waiting) {
  countTurns(waiting, waiting.pc, runningSearch().warps());
}

void noteProgress() {
  SearchedBlock& block = runningSearch();
  block.idleTurns = block.idleBasicBlocks = block.idleTimes = 0;
  block.someoneComputes = false;
  block.impatientSince = 0;
}

void noteChange() {
  ++launchNow().changes;
  noteProgress();
}

void noteStore(uintptr_t address, size_t size, bool plain) {
  if (plain) noteChange();
  if (launchNow().windows.someOpen) rememberMemory(address, size);
}

void noteAtomic(const void* pc, const void* address, bool changed) {
  Quiet quiet;
  Thread& self = *runningSearch().current;
  if (changed) noteChange();
  Spin& spin = self.history->spin;
  spin.polls = spin.polls || !changed;
  spin.asks = spin.asksInWindow = true;
  if (changed || spin.pc != pc || spin.address != address) spin.turns = 0;
  spin.pc = pc;
  spin.address = address;
  if (changed || ++spin.turns < 2) return;
  spin.turns = 0;
  spin.yielded = true;
  takeTurn(self, pc, costOfAtomicTurn);
  if (launchNow().windows.someOpen) rememberStop(self, codeOf(pc, CodeTag::access));
  SearchedBlock& block = runningSearch();
  if (block.idleTurns % (8 * uint64_t(block.size)) == 0 && block.calls().mayWaitForBlocks()) {
    giveUpWorker();
    block.waitsForBlocks = true;
  }
  block.makeReady({&self});
  suspend(block.waitsForBlocks);
}

void noteWaiting() {
  if (running) running->history->spin.polls = true;
}

long long clockTicks() {
  if (running) closeWindows();
  noteWaiting();
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// Whether a thread that goes on by itself may wait for another block: it asks atomics or fences, or
// nothing at all has changed for long.
static bool mayWaitForBlocks(SearchedBlock& block, Spin& spin) {
  const uint64_t longTime = launchNow().settings.patience / (isInWorker() ? 1 : 8) + 1;
  const bool forLong = block.idleBasicBlocks / longTime > block.idleTimes;
  if (forLong) block.idleTimes = block.idleBasicBlocks / longTime;
  if (!std::exchange(spin.polls, false)) return forLong;
  return forLong || ++block.polls % (2 * uint64_t(block.size)) == 0;
}

void noteLongTurn() {
  const Quiet quiet;
  SearchedBlock& block = runningSearch();
  const Thread& self = *block.current;
  Spin& spin = self.history->spin;
  if (!std::exchange(spin.yielded, false)) block.someoneComputes = true;
  takeTurn(self, lastInstruction(self), costOfLongTurn);
  spin.asks = false;
  countTurns(self, lastInstruction(self), turnsOfLongTurn);
  if (mayWaitForBlocks(block, spin) && block.calls().mayWaitForBlocks())
    block.waitsForBlocks = true;
}

}  // namespace simt
