#include "simt/find/watchdog.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "simt/device/intrinsics.h"
#include "simt/find/faults.h"
#include "simt/find/repetition.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/run/block.h"
#include "simt/run/meetings.h"
#include "simt/run/parallel_blocks.h"
#include "simt/run/waiting_blocks.h"

namespace simt {
namespace {

// An atomic that waits takes a handful of basic blocks and a change of fibers.
constexpr uint64_t costOfAtomicTurn = 1024;

// As many basic blocks as a path has room for, at least a part of them.
constexpr uint64_t costOfLongTurn = 512;
constexpr unsigned turnsOfLongTurn = 4;  // it takes as long as four warps' passing a barrier

// Seconds of this process's own time that a thread may compute without others seeing anything of
// it.
double longestComputation() {
  static const char* const asked = std::getenv("SIMT_PATIENCE");
  return asked ? std::strtod(asked, nullptr) : settings().longestComputation;
}

// It may be a long computation: nobody knows what its registers come to.
bool waitedLongEnough(Block& block) {
  const double now = double(std::clock()) / CLOCKS_PER_SEC;
  if (block.impatientSince == 0) block.impatientSince = now;
  return now - block.impatientSince >= longestComputation();
}

// Of all blocks of a launch, ever.
uint64_t changes = 0;

// Where others have changed something, it may be what somebody waits for.
void lookForChanges(Block& block) {
  if (std::exchange(block.changesSeen, changes) != changes) noteProgress();
}

void takeTurn(const Thread& self, const void* pc, uint64_t cost) {
  Block& block = runningBlock();
  lookForChanges(block);
  block.idleBasicBlocks += cost;
  // Under a random schedule a thread may be left out for some time: never for this long.
  const uint64_t fewestTurns = 64 * uint64_t(block.kernelCall.threads);
  const dim3 grid = block.kernelCall.grid;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  if (++block.idleTurns > fewestTurns && block.idleBasicBlocks > settings().patience &&
      (!block.someoneComputes || waitedLongEnough(block)))
    raise(makeFault(Fault::Kind::endlessLoop,
                    threadName(self) + " loops for ever" + at(pc) +
                        ": nothing changes any more that it could wait for" +
                        (blocks > 8 ? " (some blocks run side by side, not all)" : "") +
                        remarkOnHost(self, pc),
                    {&self}, {pc}));
}

void countTurns(const Thread& thread, const void* pc, unsigned turns) {
  Block& block = runningBlock();
  block.turns += turns;
  if (block.turns > settings().mostTurns)
    raise(makeFault(
        Fault::Kind::endlessLoop,
        threadName(thread) + " loops for ever" + at(pc) + ", or for longer than anybody waits",
        {&thread}, {pc}));
}

}  // namespace

void noteBarrier(const Thread& waiting) { countTurns(waiting, waiting.pc, runningBlock().warps()); }

std::string remarkOnHost(const Thread& waiting, const void* pc) {
  const ThreadHistory& history = *waiting.history;
  const auto isGlobal = [](uintptr_t address) { return address != 0 && findArray(address); };
  bool asks = history.spin.pc == pc && isGlobal(reinterpret_cast<uintptr_t>(history.spin.address));
  if (history.loadsOf == runningBlock().accesses.firstEpoch)
    for (const RecentLoad& load : history.recentLoads) asks = asks || isGlobal(load.address);
  return asks ? " (the host, too, goes on only when the kernel has ended)" : "";
}

void noteProgress() {
  Block& block = runningBlock();
  block.idleTurns = block.idleBasicBlocks = block.idleTimes = 0;
  block.someoneComputes = false;
  block.impatientSince = 0;
}

void noteChange() {
  ++changes;
  noteProgress();
}

void noteStore(uintptr_t address, size_t size, bool plain) {
  if (plain) noteChange();
  if (watchesStates) rememberMemory(address, size);
}

void noteAtomic(const void* pc, const void* address, bool changed) {
  Quiet quiet;
  Thread& self = *runningBlock().current;
  if (changed) noteChange();
  Spin& spin = self.history->spin;
  spin.polls = spin.polls || !changed;
  if (changed || spin.pc != pc || spin.address != address) spin.turns = 0;
  spin.pc = pc;
  spin.address = address;
  if (changed || ++spin.turns < 2) return;
  spin.turns = 0;
  spin.yielded = true;
  takeTurn(self, pc, costOfAtomicTurn);
  if (watchesStates) rememberStop(self, codeOf(pc, CodeTag::access));
  Block& block = runningBlock();
  if (block.idleTurns % (8 * uint64_t(block.kernelCall.threads)) == 0 && hasOtherBlocks()) {
    giveUpCopy();
    block.waitsForBlocks = true;
  }
  makeReady({&self});
  suspend(block.waitsForBlocks);
}

void noteWaiting() {
  if (running) running->history->spin.polls = true;
}

long long clockTicks() {
  closeWindows();
  noteWaiting();
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// Whether a thread that goes on by itself may wait for another block: it asks atomics or fences, or
// nothing at all has changed for long.
static bool mayWaitForBlocks(Block& block, Spin& spin) {
  const uint64_t longTime = settings().patience / (isInCopy() ? 1 : 8) + 1;
  const bool forLong = block.idleBasicBlocks / longTime > block.idleTimes;
  if (forLong) block.idleTimes = block.idleBasicBlocks / longTime;
  if (!std::exchange(spin.polls, false)) return forLong;
  return forLong || ++block.polls % (2 * uint64_t(block.kernelCall.threads)) == 0;
}

void noteLongTurn() {
  const Quiet quiet;
  Block& block = runningBlock();
  const Thread& self = *block.current;
  Spin& spin = self.history->spin;
  if (!std::exchange(spin.yielded, false)) block.someoneComputes = true;
  takeTurn(self, lastPlace(self), costOfLongTurn);
  countTurns(self, lastPlace(self), turnsOfLongTurn);
  if (mayWaitForBlocks(block, spin) && hasOtherBlocks()) block.waitsForBlocks = true;
}

}  // namespace simt
