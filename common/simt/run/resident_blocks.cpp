#include "simt/run/resident_blocks.h"

#include <cstring>
#include <utility>

#include "simt/find/repetition.h"
#include "simt/memory/dynamic_shared.h"

extern constinit thread_local uint3 blockIdx;

namespace simt {

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

void putSharedMemoryAside(Block& block) { moveSharedMemory(block.asideMemory, true); }
void putSharedMemoryBack(Block& block) { moveSharedMemory(block.asideMemory, false); }

size_t placeAside(uintptr_t address) {
  size_t at = 0;
  for (const Variable& variable : sharedVariables()) {
    if (address - variable.begin < variable.end - variable.begin)
      return at + (address - variable.begin);
    at += variable.end - variable.begin;
  }
  return at + (address - dynamicSharedNow().begin);
}

// Whoever leaves a block in the midst of its kernel gives its stack back: no fiber does.
boost::context::stack_context ResidentBlock::KeptStack::allocate() const {
  boost::context::stack_context context;
  context.size = stackBytes;
  context.sp = begin + stackBytes;
  return context;
}

ResidentBlock::ResidentBlock(Launch& launch_, uint64_t number)
    : launch(launch_), block(takeBlock(launch_)) {
  block.besideOthers = true;
  block.index = indexOf(number, launch.call.grid);
  block.asideMemory.clear();
  inside = boost::context::fiber(std::allocator_arg, KeptStack{stack.get()},
                                 [this](boost::context::fiber&& caller) {
                                   outside = std::move(caller);
                                   launch.runsBlock();
                                   isWaiting = spins = false;
                                   return std::move(outside);
                                 });
}

ResidentBlock::~ResidentBlock() {
  // In the midst of the kernel: to unwind it would run more of it.
  if (inside) new (&inside) boost::context::fiber();
  launch.release(block);
}

void ResidentBlock::takeTurn() {
  launch.turn = this;
  spins = false;
  runOnThisOsThread(&block);
  closeWindowOfBlock();
  ::blockIdx = {block.index.x, block.index.y, block.index.z};
  block.recentRanges.forget();
  putSharedMemoryBack(block);
  inside = std::move(inside).resume();
  if (inside && !launch.isOver)
    for (Observer* const observer : block.observers) observer->turnEnds(!spins);
  putSharedMemoryAside(block);
  launch.turn = nullptr;
}

void ResidentBlock::giveTurnAway() {
  closeWindowOfBlock();
  outside = std::move(outside).resume();
}

}  // namespace simt
