#include "simt/repetition.h"

#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "simt/block.h"
#include "simt/faults.h"
#include "simt/symbols.h"

namespace simt {

constinit bool watchesStates = false;

namespace {

constexpr size_t mostWords = 1 << 16;
constexpr uint64_t roundsOfFirstWindow = 4096, fewestRounds = 32, partOfRounds = 2048;

struct Window {
  bool ofGrid = false;
  uint64_t roundsLeft = 0;
  uint64_t state = 0, age = 0, nextAge = 1;        // what was remembered, and when it will be anew
  std::unordered_map<uintptr_t, uint64_t> memory;  // what words written since then held
};

Window& theWindow() {
  static auto* const window = new Window;
  return *window;
}

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
  if (pc << 2 >> 2 != frame.code >> 2 && (pc + 1) << 2 >> 2 != frame.code >> 2)
    return _URC_NO_REASON;
  for (const int number : preserved) frame.hash.add(_Unwind_GetGR(context, number));
  frame.hash.add(pc);
  addStack(frame.hash, *frame.self, _Unwind_GetCFA(context));
  frame.found = true;
  return _URC_END_OF_STACK;
}

// Of a whole block, as its threads are between two rounds.
uint64_t stateOf(Block& block) {
  Hash hash;
  for (const Thread& thread : block.allThreads()) {
    hash.add(thread.history->stop);
    hash.add(uint64_t(thread.state) << 40 | uint64_t(thread.op) << 32 | thread.mask);
    hash.add(thread.operand);
  }
  return hash.value();
}

bool memoryIsAsBefore() {
  return std::ranges::all_of(theWindow().memory, [](const auto& word) {
    return std::memcmp(reinterpret_cast<const void*>(word.first), &word.second, 8) == 0;
  });
}

void reportRepetition() {
  const Thread* turning = nullptr;  // others may wait for it
  for (const Thread& thread : runningBlock().allThreads())
    if (!turning && thread.history->stop != 0 && thread.state != State::finished) turning = &thread;
  if (!turning) return;
  const void* const pc = turning->state == State::paused ? lastPlace(*turning) : turning->pc;
  raise(makeFault(Fault::Kind::endlessLoop,
                  threadName(*turning) + " loops for ever" + at(pc) +
                      ": all that it could depend on is as it was some turns before",
                  {turning}, {pc}));
}

bool canWatch() { return preserved[0] >= 0 && instrumented(); }

// Whether there is a window, and it is the one asked for.
bool windowIsOpen(bool ofGrid) { return watchesStates && theWindow().ofGrid == ofGrid; }

void openWindow(uint64_t rounds, bool ofGrid) {
  Window& window = theWindow();
  window = {};
  window.ofGrid = ofGrid;
  window.roundsLeft = std::max(fewestRounds, rounds / partOfRounds);
  watchesStates = true;
}

void forgetStops(Block& block) {
  for (Thread& thread : block.allThreads()) thread.history->stop = 0;
}

// Whether all is as it was in an earlier round of the window.
bool repeats(uint64_t state) {
  Window& window = theWindow();
  const bool found = window.age > 0 && state == window.state && memoryIsAsBefore();
  if (++window.age >= window.nextAge) {
    window.state = state;
    window.memory.clear();
    window.nextAge *= 2;
  }
  if (found || --window.roundsLeft == 0) closeWindow();
  return found;
}

uint64_t gridRounds = 0, gridRoundsOfNextWindow = 0;

}  // namespace

void beginRounds() {
  Block& block = runningBlock();
  block.rounds = 0;
  block.roundsOfNextWindow = roundsOfFirstWindow;
  closeWindow();
}

void noteRounds(uint64_t weight) {
  Block& block = runningBlock();
  block.rounds += weight;
  if (block.rounds < block.roundsOfNextWindow || watchesStates || !canWatch()) return;
  block.roundsOfNextWindow = 2 * block.rounds;
  forgetStops(block);
  openWindow(block.rounds, false);
}

void endRound() {
  if (windowIsOpen(false) && repeats(stateOf(runningBlock()))) reportRepetition();
}

void beginGridRounds() {
  gridRounds = 0;
  gridRoundsOfNextWindow = roundsOfFirstWindow;
  closeWindow();
}

bool endGridRound(std::span<Block* const> blocks) {
  if (windowIsOpen(true)) {
    Hash hash;
    for (Block* const block : blocks) hash.add(stateOf(*block));
    return repeats(hash.value());
  }
  if (++gridRounds < gridRoundsOfNextWindow || !canWatch()) return false;
  gridRoundsOfNextWindow = 2 * gridRounds;
  for (Block* const block : blocks) forgetStops(*block);
  openWindow(gridRounds, true);
  return false;
}

void closeWindowOfBlock() {
  if (windowIsOpen(false)) closeWindow();
}

void rememberStop(Thread& self, uint32_t code) {
  KernelFrame frame{code, &self, {}};
  _Unwind_Backtrace(findKernel, &frame);
  if (!frame.found) return closeWindow();
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
  auto& memory = theWindow().memory;
  if (memory.size() > mostWords) return closeWindow();
  for (uintptr_t word = address & ~uintptr_t(7); word < address + size; word += 8) {
    uint64_t before;
    std::memcpy(&before, reinterpret_cast<const void*>(word), 8);
    memory.try_emplace(word, before);
  }
}

void closeWindow() { watchesStates = false; }

}  // namespace simt
