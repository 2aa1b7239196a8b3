#include "simt/find/repetition.h"

#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "simt/find/faults.h"
#include "simt/find/other_threads.h"
#include "simt/find/searched_block.h"
#include "simt/find/settings.h"
#include "simt/image/symbols.h"
#include "simt/memory/dynamic_shared.h"

namespace simt {

namespace {

constexpr size_t mostWords = 1 << 16;
constexpr uint64_t fewestRounds = 32, partOfRounds = 2048;

StateWindows& windows() { return launchNow().windows; }

class Hash {
 public:
  void add(uint64_t word) {
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0x2545f4914f6cdd1d;
};

// Registers that a function leaves as they were, by their numbers in DWARF.
#if defined(__x86_64__)
constexpr int preserved[] = {15, 14, 13, 12, 3, 6};  // as stack_switch.cpp has them on a stack
#elif defined(__aarch64__)
constexpr int preserved[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                             29, 72, 73, 74, 75, 76, 77, 78, 79};
#else
constexpr int preserved[] = {-1};
#endif

void addStack(Hash& hash, const Thread& self, uintptr_t from) {
  const uintptr_t end = self.stackBegin + stackBytes;
  for (uintptr_t at = from; at + 8 <= end; at += 8)
    hash.add(*reinterpret_cast<const uint64_t*>(at));
}

struct KernelFrame {
  uint32_t code;
  const Thread* self;
  Hash hash;
  bool found = false;
};

// Looks for the kernel's function: the executor's own frames hold what has no meaning.
_Unwind_Reason_Code findKernel(_Unwind_Context* context, void* argument) {
  auto& frame = *static_cast<KernelFrame*>(argument);
  const auto pc = uint32_t(_Unwind_GetIP(context));
  if (pc << 2 >> 2 != frame.code >> 2 && (pc - 1) << 2 >> 2 != frame.code >> 2)
    return _URC_NO_REASON;
  for (const int number : preserved) frame.hash.add(_Unwind_GetGR(context, number));
  frame.hash.add(pc);
  addStack(frame.hash, *frame.self, _Unwind_GetCFA(context));
  frame.found = true;
  return _URC_END_OF_STACK;
}

// Of a whole block, as its threads are between two rounds, or where its turn has ended.
uint64_t stateOf(SearchedBlock& block) {
  Hash hash;
  for (const Thread& thread : block.allThreads()) {
    hash.add(thread.history->stop);
    hash.add(uint64_t(thread.state) << 40 | uint64_t(thread.op) << 32 | thread.mask);
    hash.add(uint64_t(uint32_t(thread.parameter)));
    hash.add(thread.operand);
    hash.add(thread.state == State::ready ? thread.result : 0);
  }
  return hash.value();
}

uint64_t stateOf(std::span<const BlockAside> blocks) {
  Hash hash;
  for (const BlockAside& aside : blocks) {
    hash.add(stateOf(*aside.block));
    const std::vector<char>& memory = *aside.sharedMemory;
    for (size_t at = 0; at + 8 <= memory.size(); at += 8) {
      uint64_t word;
      std::memcpy(&word, memory.data() + at, 8);
      hash.add(word);
    }
    for (size_t at = memory.size() / 8 * 8; at < memory.size(); ++at) hash.add(uint8_t(memory[at]));
  }
  return hash.value();
}

bool isAsBefore(const std::unordered_map<uintptr_t, uint64_t>& memory) {
  return std::ranges::all_of(memory, [](const auto& word) {
    return std::memcmp(reinterpret_cast<const void*>(word.first), &word.second, 8) == 0;
  });
}

// Others may wait for it.
const Thread* turningThread(SearchedBlock& block) {
  for (const Thread& thread : block.allThreads())
    if (thread.history->stop != 0 && thread.state != State::finished) return &thread;
  return nullptr;
}

Fault repetitionOf(const Thread& turning) {
  const bool waits = turning.state != State::paused && turning.state != State::ready;
  const void* const place = waits ? nullptr : lastInstruction(turning);
  const void* const pc = place ? place : turning.pc;
  return makeFault(Fault::Kind::endlessLoop,
                   threadName(turning) + " loops for ever" + at(pc) +
                       ": all that it could depend on is as it was some turns before" +
                       remarkOnHost(turning, turning.history->spin.asksInWindow),
                   {&turning}, {pc});
}

bool canWatch() { return preserved[0] >= 0; }

void openWindow(StateWindow& window, uint64_t rounds) {
  window = {};
  window.open = true;
  window.roundsLeft = std::max(fewestRounds, rounds / partOfRounds);
  windows().someOpen = true;
}

void forgetStops(SearchedBlock& block) {
  for (Thread& thread : block.allThreads()) {
    thread.history->stop = 0;
    thread.history->spin.asksInWindow = false;
  }
}

// Whether all is as it was in an earlier round of the window.
bool repeats(StateWindow& window, uint64_t state) {
  const bool found = window.age > 0 && state == window.state && isAsBefore(window.memory);
  if (++window.age >= window.nextAge) {
    window.state = state;
    window.memory.clear();
    window.nextAge *= 2;
  }
  if (found || --window.roundsLeft == 0) windows().close(window);
  return found;
}

// One of a block that has its own.
bool isShared(uintptr_t address) {
  const DynamicShared dynamic = dynamicSharedNow();
  return sharedRange().contains(address) ||
         (address >= dynamic.begin && address < dynamic.reservedEnd);
}

void rememberWords(StateWindow& window, uintptr_t address, size_t size) {
  if (window.memory.size() > mostWords) return windows().close(window);
  for (uintptr_t word = address & ~uintptr_t(7); word < address + size; word += 8) {
    uint64_t before;
    std::memcpy(&before, reinterpret_cast<const void*>(word), 8);
    window.memory.try_emplace(word, before);
  }
}

}  // namespace

void beginRounds() {
  SearchedBlock& block = runningSearch();
  block.rounds = 0;
  // One beside others runs because somebody waits.
  block.roundsOfNextWindow = block.besideOthers ? roundsOfFirstWindow / 8 : roundsOfFirstWindow;
  closeWindowOfBlock();
}

void noteRounds(uint64_t weight) {
  SearchedBlock& block = runningSearch();
  block.rounds += weight;
  if (block.rounds < block.roundsOfNextWindow || windows().ofBlock.open || !canWatch()) return;
  block.roundsOfNextWindow = 2 * block.rounds;
  forgetStops(block);
  openWindow(windows().ofBlock, block.rounds);
}

void endRound() {
  SearchedBlock& block = runningSearch();
  if (!windows().ofBlock.open || !repeats(windows().ofBlock, stateOf(block))) return;
  const Thread* const turning = turningThread(block);
  if (!turning) return;
  block.roundsOfNextWindow = block.rounds;  // when it goes on, it is asked again at once
  if (block.calls().mayWaitForBlocks())
    block.waitsForBlocks = true;
  else if (!letOtherThreadsGoOn())
    raise(repetitionOf(*turning));
}

bool endJointRound(std::span<const BlockAside> blocks, uint64_t weight) {
  StateWindows& all = windows();
  if (all.ofAll.open) {
    if (!repeats(all.ofAll, stateOf(blocks))) return false;
    all.jointRoundsOfNextWindow = all.jointRounds;  // as endRound() does
    return true;
  }
  all.jointRounds += weight;
  if (all.jointRounds < all.jointRoundsOfNextWindow || !canWatch()) return false;
  all.jointRoundsOfNextWindow = 2 * all.jointRounds;
  for (const BlockAside& aside : blocks) forgetStops(*aside.block);
  openWindow(all.ofAll, all.jointRounds);
  return false;
}

Fault repetitionOf(std::span<const BlockAside> blocks) {
  for (const BlockAside& aside : blocks) {
    blockOfThisOsThread = aside.block;
    if (const Thread* const turning = turningThread(*aside.block)) return repetitionOf(*turning);
  }
  return makeFault(Fault::Kind::endlessLoop, "the blocks wait for each other for ever", {}, {});
}

void closeWindowOfBlock() { windows().close(windows().ofBlock); }

void rememberStop(Thread& self, uint32_t code) {
  KernelFrame frame{code, &self, {}};
  _Unwind_Backtrace(findKernel, &frame);
  if (!frame.found) return closeWindows();
  self.history->stop = frame.hash.value();
}

void rememberStop(Thread& self, const void* top) {
  Hash hash;
  const auto* const words = static_cast<const uint64_t*>(top);
  for (size_t i = 0; i < std::size(preserved); ++i) hash.add(words[i]);
  hash.add(uint32_t(words[std::size(preserved)]));
  addStack(hash, self, reinterpret_cast<uintptr_t>(words + std::size(preserved) + 1));
  self.history->stop = hash.value();
}

void rememberMemory(uintptr_t address, size_t size) {
  const Quiet quiet;
  if (windows().ofBlock.open) rememberWords(windows().ofBlock, address, size);
  if (windows().ofAll.open && !isShared(address)) rememberWords(windows().ofAll, address, size);
}

void closeWindows() {
  windows().close(windows().ofBlock);
  windows().close(windows().ofAll);
}

}  // namespace simt
