// Cooperative launches: every block has threads and fibers of its own, and they take turns, each up
// to the next barrier of the grid. Shared memory is one and the same for all of them, so what a
// block has there is put aside while it is not its turn.
#include "simt/grid_barrier.h"

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <cstring>
#include <memory>

#include "simt/access.h"
#include "simt/arrays.h"
#include "simt/block.h"
#include "simt/block_races.h"
#include "simt/dynamic_shared.h"
#include "simt/faults.h"
#include "simt/primitives.h"
#include "simt/races.h"
#include "simt/traps.h"

extern uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {
namespace {

struct Participant {
  Block block;
  boost::context::fiber inside, outside;  // where the block is, and who gave it its turn
  bool isWaiting = false;
  unsigned barriersOf[maxThreads] = {};  // that each thread came to
  unsigned barriersLeft = 0;             // that the block left its turn at
  std::vector<char> sharedMemory;
  SharedWrites sharedWrites;
};

// Those of the running launch, kept for the next one: never destroyed, for a fault leaves fibers in
// the middle of a kernel.
std::vector<Participant*>& pool() {
  static auto* const all = new std::vector<Participant*>;
  return *all;
}
Participant* participant = nullptr;  // whose turn it is

// The shared variables of the program and the dynamic ones, copied out or back.
void moveSharedMemory(std::vector<char>& kept, bool out) {
  const DynamicShared dynamic = dynamicSharedNow();
  size_t at = 0;
  const auto move = [&](uintptr_t begin, uintptr_t end) {
    const size_t bytes = end - begin;
    if (out && kept.size() < at + bytes) kept.resize(at + bytes);
    auto* const place = reinterpret_cast<char*>(begin);
    if (out)
      std::memcpy(kept.data() + at, place, bytes);
    else if (kept.size() >= at + bytes)
      std::memcpy(place, kept.data() + at, bytes);
    at += bytes;
  };
  for (const Variable& variable : sharedVariables()) move(variable.begin, variable.end);
  move(dynamic.begin, dynamic.end);
}

void start(Participant& p, const KernelCall& call, uint64_t number) {
  Block& block = p.block;
  const dim3 grid = call.grid, size = call.block;
  block.kernelCall = call;
  block.findFaults = settings().findFaults;
  block.fault.reset();
  block.counters = {};
  block.index = dim3(unsigned(number % grid.x), unsigned(number / grid.x % grid.y),
                     unsigned(number / grid.x / grid.y));
  block.fibers.start(block.threads, call.threads);
  for (Thread& t : block.allThreads())
    t.index = indexOf(t.rank, size);
  block.ready.start(settings().schedule);
  p.isWaiting = false;
  p.barriersLeft = 0;
  std::fill(std::begin(p.barriersOf), std::end(p.barriersOf), 0u);
  p.sharedMemory.clear();
  p.sharedWrites = {};
  p.inside = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(512 * 1024),
                                   [&p](boost::context::fiber&& caller) {
                                     p.outside = std::move(caller);
                                     runBlock();
                                     p.isWaiting = false;
                                     return std::move(p.outside);
                                   });
}

// Lets the block go on, to the next barrier of the grid or its end. What the launch has found so
// far goes with it.
void takeTurn(Participant& p, FaultLog& found) {
  participant = &p;
  blockOfThisOsThread = &p.block;
  ::blockIdx = {p.block.index.x, p.block.index.y, p.block.index.z};
  forgetRecentRanges();
  moveSharedMemory(p.sharedMemory, false);
  exchangeSharedWrites(p.sharedWrites);
  std::swap(p.block.faults, found);
  p.inside = std::move(p.inside).resume();
  if (!p.block.fault && p.block.findFaults) {
    checkAgainstOtherBlocks();
    forgetBlockAccesses();
  }
  std::swap(p.block.faults, found);
  exchangeSharedWrites(p.sharedWrites);
  moveSharedMemory(p.sharedMemory, true);
  participant = nullptr;
}

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

// From one barrier of the grid to the next. False where the launch ends with a fault.
bool runPhase(std::vector<Participant*>& running, FaultLog& found) {
  for (Participant* p : running) {
    takeTurn(*p, found);
    if (p->block.fault) return false;
  }
  if (const std::optional<Fault> fault = incomplete(running)) {
    found.add({*fault});
    return false;
  }
  orderAllBlocks();
  std::erase_if(running, [](const Participant* p) { return !p->isWaiting; });
  return true;
}

// Their fibers are left in the middle of the kernel: to unwind them would run more of it.
void abandon(const std::vector<Participant*>& all) {
  for (Participant* p : all) {
    p->block.fibers.abandon();
    p->block.current = nullptr;
    new (&p->inside) boost::context::fiber();
  }
}

}  // namespace

void gridBarrier(int line) {
  if (!participant) {
    Quiet quiet;
    raise(makeFault(Fault::Kind::barrier,
                    "grid.sync() in a launch that is not cooperative: use "
                    "cudaLaunchCooperativeKernel",
                    {runningBlock().current}, {__builtin_return_address(0)}));
  }
  Participant& p = *participant;
  Thread* const self = runningBlock().current;
  const unsigned mine = ++p.barriersOf[self->rank];
  blockBarrier(0, gridBarrierMode, line);
  Quiet quiet;
  if (p.barriersLeft >= mine) return;
  // The first thread to go on gives away the turn for all of them.
  p.barriersLeft = mine;
  p.isWaiting = true;
  p.outside = std::move(p.outside).resume();
  p.isWaiting = false;
  ::threadIdx = self->index;
}

void runCooperatively(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes) {
  const unsigned threads = block.x * block.y * block.z;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  Block* const before = blockOfThisOsThread;
  ::gridDim = {grid.x, grid.y, grid.z};
  ::blockDim = {block.x, block.y, block.z};
  while (pool().size() < blocks) pool().push_back(new Participant);
  std::vector<Participant*> running;
  for (const uint64_t number : blockOrder(blocks, settings().schedule)) {
    Participant* const p = pool()[number];
    start(*p, {kernel, call, arguments, argumentBytes, grid, block, threads}, number);
    running.push_back(p);
  }
  const std::vector<Participant*> all = running;
  catchTraps();
  beginLaunchAccesses();
  Tracer::beginLaunch();
  FaultLog found;
  while (!running.empty())
    if (!runPhase(running, found)) {
      abandon(running);
      break;
    }
  blockOfThisOsThread = before;
  for (const Participant* p : all) addCounters(p->block.counters);
  settleFaults(found);
}

}  // namespace simt
