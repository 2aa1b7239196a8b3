// Cooperative launches: the blocks take turns, each up to the next barrier of the grid.

#include "simt/device/primitives.h"
#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/find/repetition.h"
#include "simt/run/block.h"
#include "simt/run/executor.h"
#include "simt/run/launch.h"
#include "simt/run/meetings.h"
#include "simt/run/participants.h"

extern uint3 threadIdx;

namespace simt {
namespace {

// The fault of blocks that wait for one that has ended, or nothing.
std::optional<Fault> incomplete(const std::vector<Participant*>& all) {
  Participant *waiting = nullptr, *ended = nullptr;
  for (Participant* p : all) (p->isWaiting ? waiting : ended) = p;
  if (!waiting || !ended) return {};
  blockOfThisOsThread = &waiting->block;
  const dim3 e = ended->block.index;
  return makeFault(Fault::Kind::barrier,
                   "a grid.sync() that never completes: block (" + std::to_string(e.x) + ", " +
                       std::to_string(e.y) + ", " + std::to_string(e.z) + ") has ended without it",
                   {}, {});
}

// Whether all the blocks only do again what they did before: a fault.
bool repeatForEver(const std::vector<Participant*>& running, FaultLog& found, uint64_t weight) {
  std::vector<BlockAside> aside;
  for (Participant* p : running) aside.push_back({&p->block, &p->sharedMemory});
  if (running.empty() || !endJointRound(aside, weight)) return false;
  found.add({repetitionOf(aside)});
  return true;
}

// From one barrier of the grid to the next. False where the launch ends with a fault.
bool runPhase(std::vector<Participant*>& running, FaultLog& found) {
  std::vector<Participant*> left = running;
  while (!left.empty()) {
    for (Participant* p : left) {
      takeTurn(*p, found);
      if (p->block.fault) return false;
    }
    std::erase_if(left, [](const Participant* p) { return !p->spins; });
    if (!left.empty() && repeatForEver(running, found, roundOfTurns)) return false;
  }
  if (const std::optional<Fault> fault = incomplete(running)) {
    found.add({*fault});
    return false;
  }
  orderAllBlocks();
  std::erase_if(running, [](const Participant* p) { return !p->isWaiting; });
  return true;
}

}  // namespace

void gridBarrier(int line) {
  Participant* const participant = participantNow();
  if (!participant || !participant->cooperative) {
    Quiet quiet;
    raise(makeFault(Fault::Kind::barrier,
                    "grid.sync() in a launch that is not cooperative: use "
                    "cudaLaunchCooperativeKernel",
                    {runningBlock().current}, {__builtin_return_address(0)}));
  }
  Participant& p = *participant;
  Thread* const self = runningBlock().current;
  const unsigned mine = ++p.barriersOf[self->rank];
  passBarrier(0, gridBarrierMode, line, __builtin_return_address(0));
  Quiet quiet;
  if (p.barriersLeft >= mine) return;
  // The first thread to go on gives away the turn for all of them.
  p.barriersLeft = mine;
  p.isWaiting = true;
  giveTurnAway(p);
  p.isWaiting = false;
  ::threadIdx = self->index;
}

void runCooperatively(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes) {
  const KernelCall launched = kernelCall(grid, block, kernel, call, arguments, argumentBytes);
  if (settings().instead) return settings().instead({kernel, call, arguments, grid, block, true});
  const LaunchScope scope(launched);
  std::vector<Participant*> running;
  for (const uint64_t number :
       blockOrder(uint64_t(grid.x) * grid.y * grid.z, settings().schedule)) {
    Participant* const p = &participantNumber(number);
    start(*p, launched, number);
    p->cooperative = true;
    running.push_back(p);
  }
  const std::vector<Participant*> all = running;
  FaultLog found;
  beginJointRounds();
  while (!running.empty())
    if (!runPhase(running, found) || repeatForEver(running, found, 1)) {
      abandon(running);
      break;
    }
  for (const Participant* p : all) addCounters(p->block.counters);
  settleFaults(found);
}

}  // namespace simt
