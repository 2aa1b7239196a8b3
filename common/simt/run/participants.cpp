#include "simt/run/participants.h"

#include <boost/context/fixedsize_stack.hpp>
#include <cstring>
#include <memory>
#include <utility>

#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/find/repetition.h"
#include "simt/memory/dynamic_shared.h"
#include "simt/paths/warp_log.h"
#include "simt/run/access.h"

extern uint3 blockIdx;

namespace simt {

static Participant* currentParticipant = nullptr;

Participant* participantNow() { return currentParticipant; }

// Never destroyed, for a fault leaves fibers in the middle of a kernel.
Participant& participantNumber(size_t i) {
  static auto* const all = new std::vector<Participant*>;
  while (all->size() <= i) all->push_back(new Participant);
  return *(*all)[i];
}

static void moveSharedMemory(std::vector<char>& kept, bool out) {
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

void putSharedMemoryAside(std::vector<char>& memory, SharedWrites& writes) {
  exchangeSharedWrites(writes);
  moveSharedMemory(memory, true);
}

void putSharedMemoryBack(std::vector<char>& memory, SharedWrites& writes) {
  moveSharedMemory(memory, false);
  exchangeSharedWrites(writes);
}

void start(Participant& p, const KernelCall& call, uint64_t number) {
  Block& block = p.block;
  prepare(block, call);
  block.counters = {};
  block.besideOthers = true;
  block.index = indexOf(number, call.grid);
  p.isWaiting = p.spins = false;
  p.barriersLeft = 0;
  std::fill(std::begin(p.barriersOf), std::end(p.barriersOf), 0u);
  p.sharedMemory.clear();
  p.sharedWrites = {};
  p.inside = boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(512 * 1024),
                                   [&p](boost::context::fiber&& caller) {
                                     p.outside = std::move(caller);
                                     p.block.kernelCall.runsBlock();
                                     p.isWaiting = p.spins = false;
                                     return std::move(p.outside);
                                   });
}

void takeTurn(Participant& p, FaultLog& found) {
  currentParticipant = &p;
  p.spins = false;
  closeWindowOfBlock();
  blockOfThisOsThread = &p.block;
  ::blockIdx = {p.block.index.x, p.block.index.y, p.block.index.z};
  forgetRecentRanges();
  putSharedMemoryBack(p.sharedMemory, p.sharedWrites);
  std::swap(p.block.faults, found);
  p.inside = std::move(p.inside).resume();
  if (!p.block.fault && p.block.findFaults) {
    lookUpAllLoads();
    checkAgainstOtherBlocks(!p.spins);
    if (!p.spins) forgetBlockAccesses();
  }
  std::swap(p.block.faults, found);
  putSharedMemoryAside(p.sharedMemory, p.sharedWrites);
  currentParticipant = nullptr;
}

void giveTurnAway(Participant& p) {
  closeWindowOfBlock();
  p.outside = std::move(p.outside).resume();
}

void abandon(const std::vector<Participant*>& all) {
  for (Participant* p : all) {
    p->block.fibers.abandon();
    p->block.current = nullptr;
    new (&p->inside) boost::context::fiber();
  }
}

}  // namespace simt
