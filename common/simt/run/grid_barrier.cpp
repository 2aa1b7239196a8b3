#include "simt/run/grid_barrier.h"

#include <algorithm>
#include <optional>

#include "simt/device/primitives.h"
#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/find/repetition.h"
#include "simt/run/meetings.h"
#include "simt/run/resident_blocks.h"

extern constinit thread_local uint3 threadIdx;

namespace simt {
namespace {

using Blocks = std::vector<ResidentBlock*>;

// The fault of blocks that wait for one that has ended, or nothing.
std::optional<Fault> incomplete(const Blocks& all) {
  ResidentBlock *waiting = nullptr, *ended = nullptr;
  for (ResidentBlock* p : all) (p->isWaiting ? waiting : ended) = p;
  if (!waiting || !ended) return {};
  runOnThisOsThread(&waiting->block);
  const dim3 e = ended->block.index;
  return makeFault(Fault::Kind::barrier,
                   "a grid.sync() that never completes: block (" + std::to_string(e.x) + ", " +
                       std::to_string(e.y) + ", " + std::to_string(e.z) + ") has ended without it",
                   {}, {});
}

void endWith(Launch& launch, Fault fault) {
  launch.isOver = true;
  launch.faults.add({std::move(fault)});
}

// Where all the blocks only do again what they did before: a fault.
void endWhereRepeated(Launch& launch, const Blocks& running, uint64_t weight) {
  std::vector<BlockAside> aside;
  for (ResidentBlock* p : running) aside.push_back({&p->block, &p->block.asideMemory});
  if (running.empty() || !endJointRound(aside, weight)) return;
  endWith(launch, repetitionOf(aside));
}

// From one barrier of the grid to the next, or to a fault.
void runPhase(Launch& launch, Blocks& running) {
  Blocks left = running;
  while (!left.empty()) {
    for (ResidentBlock* p : left) {
      p->takeTurn();
      if (launch.isOver) return;
    }
    std::erase_if(left, [](const ResidentBlock* p) { return !p->spins; });
    if (!left.empty()) endWhereRepeated(launch, running, roundOfTurns);
    if (launch.isOver) return;
  }
  if (std::optional<Fault> fault = incomplete(running)) return endWith(launch, *std::move(fault));
  orderAllBlocks(launch);
  std::erase_if(running, [](const ResidentBlock* p) { return !p->isWaiting; });
  endWhereRepeated(launch, running, 1);
}

}  // namespace

void gridBarrier(int place) {
  ResidentBlock* const resident = runningLaunch().turn;
  if (!resident || !runningLaunch().call.cooperative) {
    Quiet quiet;
    raise(makeFault(Fault::Kind::barrier,
                    "grid.sync() in a launch that is not cooperative: use "
                    "cudaLaunchCooperativeKernel",
                    {runningBlock().current}, {__builtin_return_address(0)}));
  }
  ResidentBlock& p = *resident;
  Thread* const self = runningBlock().current;
  const unsigned mine = ++p.barriersOf[self->rank];
  passBarrier(0, gridBarrierMode, place, __builtin_return_address(0));
  Quiet quiet;
  if (p.barriersLeft >= mine) return;
  // The first thread to go on gives away the turn for all of them.
  p.barriersLeft = mine;
  p.isWaiting = true;
  p.giveTurnAway();
  p.isWaiting = false;
  ::threadIdx = self->index;
}

void runSideBySide(Launch& launch) {
  for (const uint64_t number : launch.order)
    launch.sideBySide.push_back(std::make_shared<ResidentBlock>(launch, number));
  Blocks running;
  for (const auto& p : launch.sideBySide) running.push_back(p.get());
  while (!running.empty() && !launch.isOver) runPhase(launch, running);
}

}  // namespace simt
