#include "simt/run/grid_barrier.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "simt/device/primitives.h"
#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/find/other_threads.h"
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
  if (running.empty() || !endJointRound(aside, weight) || letOtherThreadsGoOn()) return;
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
  if (std::optional<Fault> fault = launch.call.cooperative ? incomplete(running) : std::nullopt)
    return endWith(launch, *std::move(fault));
  orderAllBlocks(launch);
  std::erase_if(running, [](const ResidentBlock* p) { return !p->isWaiting; });
  endWhereRepeated(launch, running, 1);
}

// A barrier of the grid, or of the cluster.
void waitForOthers(int place, const void* pc) {
  ResidentBlock& p = *runningLaunch().turn;
  Thread* const self = runningBlock().current;
  const unsigned mine = ++p.barriersOf[self->rank];
  passBarrier(0, gridBarrierMode, place, pc);
  Quiet quiet;
  if (p.barriersLeft >= mine) return;
  // The first thread to go on gives away the turn for all of them.
  p.barriersLeft = mine;
  p.isWaiting = true;
  p.giveTurnAway();
  p.isWaiting = false;
  ::threadIdx = self->index;
}

unsigned rankInCluster(dim3 index, dim3 cluster) {
  return (index.z % cluster.z * cluster.y + index.y % cluster.y) * cluster.x + index.x % cluster.x;
}

}  // namespace

void gridBarrier(int place) {
  if (!runningLaunch().turn || !runningLaunch().call.cooperative) {
    Quiet quiet;
    raise(makeFault(Fault::Kind::barrier,
                    "grid.sync() in a launch that is not cooperative: use "
                    "cudaLaunchCooperativeKernel",
                    {runningBlock().current}, {__builtin_return_address(0)}));
  }
  waitForOthers(place, __builtin_return_address(0));
}

void clusterBarrier(int place) {
  if (!runningLaunch().call.inClusters())
    passBarrier(0, 0, place, __builtin_return_address(0));
  else
    waitForOthers(place, __builtin_return_address(0));
}
dim3 clusterSize() { return runningLaunch().call.cluster; }

void* sharedOfBlock(void* mine, unsigned rank) {
  const Quiet quiet;
  const Launch& launch = runningLaunch();
  const auto address = reinterpret_cast<uintptr_t>(mine);
  for (const auto& p : launch.sideBySide)
    if (p.get() != launch.turn && rankInCluster(p->block.index, launch.call.cluster) == rank)
      return p->block.asideMemory.data() + placeAside(address);
  return mine;
}
bool isSharedOfAnother(uintptr_t address, size_t size) {
  if (!runningLaunch().call.inClusters()) return false;
  return std::ranges::any_of(runningLaunch().sideBySide, [&](const auto& p) {
    const auto& aside = p->block.asideMemory;
    const uintptr_t offset = address - reinterpret_cast<uintptr_t>(aside.data());
    return offset < aside.size() && aside.size() - offset >= size;
  });
}

static void runTogether(Launch& launch, std::span<const uint64_t> numbers) {
  Blocks running;
  for (const uint64_t number : numbers) {
    launch.sideBySide.push_back(std::make_shared<ResidentBlock>(launch, number));
    running.push_back(launch.sideBySide.back().get());
    putSharedMemoryAside(running.back()->block);  // others of its cluster may reach it from now on
  }
  while (!running.empty() && !launch.isOver) runPhase(launch, running);
}

void runSideBySide(Launch& launch) {
  if (launch.call.cooperative) return runTogether(launch, launch.order);
  const dim3 cluster = launch.call.cluster, grid = launch.call.grid;
  std::map<std::array<unsigned, 3>, std::vector<uint64_t>> clusters;
  const auto clusterOf = [&](uint64_t number) {
    const uint3 index = indexOf(number, grid);
    return std::array{index.z / cluster.z, index.y / cluster.y, index.x / cluster.x};
  };
  for (const uint64_t number : launch.order) clusters[clusterOf(number)].push_back(number);
  for (const uint64_t number : launch.order) {
    const auto one = clusters.find(clusterOf(number));
    if (one == clusters.end()) continue;
    if (!launch.isOver) runTogether(launch, one->second);
    launch.sideBySide.clear();
    clusters.erase(one);
  }
}

}  // namespace simt
