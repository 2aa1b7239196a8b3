// Executes PTX: 32 lanes at a time, the warps of a block in turn up to a barrier, blocks one after
// the other (up to a barrier of the grid).
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "estimate/gpu_code/left_out.h"
#include "estimate/gpu_code/memory.h"
#include "estimate/gpu_code/modes.h"
#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t all() const { return uint64_t(x) * y * z; }
  uint64_t warps() const { return (all() + 31) / 32; }  // of a block
};

struct LaunchOfCode {
  Extent grid, block;
  uint32_t dynamicShared = 0;
  uint32_t multiprocessors = 132;
  std::vector<uint8_t> parameters;  // at the places of Function::parameters
  bool cooperative = false;
};

// A division or root of floats ends with a branch, for operands that are rare.
inline bool hasLongWay(const Instruction& i) {
  return isAnyOf(i.op, {Op::div, Op::sqrt, Op::rcp}) && isFloat(i.type) && i.mode != modes::approx;
}
// What a warp executes there, and how much longer it takes, beside the short way.
struct LongWay {
  float instructions = 0, cycles = 0;
};

// What a warp's lanes did in a step, for who listens. The addresses are those of the lanes that
// took part, as they lie in their space.
struct WarpContext;
struct Step {
  const Instruction* instruction;
  const BasicBlock* block;
  const Function* function;
  uint32_t lanes;
  Space space;  // of memory
  const uint64_t* addresses;
  // Of a branch: some lanes go to its target; and meet the others again.
  bool jumps = false, parts = false;
  LongWay longWay = {};
  WarpContext* warp = nullptr;  // with what is in its registers behind it
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void blockBegins(uint64_t number, unsigned warps) = 0;
  virtual void executed(unsigned warp, const Step& step) = 0;
  // A small block that none of the warp's lanes had a reason to enter.
  virtual void passedBy(unsigned warp, const Function& function, const BasicBlock& block) = 0;
  virtual void blockEnds() = 0;
};

// A place in a function, and the lanes that are there.
struct Path {
  uint32_t block = 0, at = 0, lanes = 0;
  uint32_t stop = UINT32_MAX;  // where they wait for others
};

struct Frame {
  const Function* function = nullptr;
  size_t registers = 0, parameters = 0, local = 0;  // where they begin
  std::vector<Path> paths;                          // the last one is under way
  const Instruction* caller = nullptr;
};

enum class WarpState : uint8_t { running, atBarrier, atGridBarrier, finished };

// All that a handler sees.
struct WarpContext {
  const Module* module = nullptr;
  Memory* memory = nullptr;
  const LaunchOfCode* launch = nullptr;
  LeftOut* leftOut = nullptr;
  std::vector<uint8_t>* shared = nullptr;
  std::vector<uint8_t> stack;                // registers of all frames
  std::vector<uint8_t> parameters;           // of functions that are called: lane after lane
  std::vector<uint8_t> local;                // each lane's, lane after lane
  uint32_t localPerLane = 0, localRoom = 0;  // of each: what functions have, and what there is
  std::vector<Frame> frames;
  uint8_t* frame = nullptr;  // the registers of the last one
  uint32_t existing = 0, gone = 0;
  unsigned number = 0;
  WarpState state = WarpState::running;
  // Of a barrier that counts: what each lane brought.
  uint32_t brought = 0;
  const Instruction* waitsAt = nullptr;
  // What the last memory access touched.
  std::array<uint64_t, 32> addresses;
  Space space = Space::global;
  std::array<uint64_t, 64> scratch[4];

  template <typename T>
  T* to(const Operand& o) {
    return reinterpret_cast<T*>(frame + o.place);
  }
  // The lanes' values of an operand, as numbers of this size.
  template <typename T>
  const T* from(const Operand& o, unsigned which);
  uint32_t predicate(const Operand& o) const {
    if (o.kind == Operand::Kind::constant) return o.offset != 0 ? UINT32_MAX : 0;
    uint32_t value;
    std::memcpy(&value, frame + o.place, sizeof value);
    return o.negated ? ~value : value;
  }
  void setPredicate(const Operand& o, uint32_t lanes, uint32_t value) {
    if (o.kind != Operand::Kind::reg) return;
    uint32_t before;
    std::memcpy(&before, frame + o.place, sizeof before);
    before = (before & ~lanes) | (value & lanes);
    std::memcpy(frame + o.place, &before, sizeof before);
  }
  uint64_t addressOf(const Operand& symbol) const;  // generic or in its space, as PTX has it
};

template <typename T>
const T* WarpContext::from(const Operand& o, unsigned which) {
  constexpr size_t begin = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 32 : sizeof(T) == 4 ? 96 : 224;
  if (o.kind == Operand::Kind::constant)
    return reinterpret_cast<const T*>(module->constants[o.place].data() + begin);
  T* const room = reinterpret_cast<T*>(scratch[which].data());
  if (o.kind == Operand::Kind::address) {
    const uint64_t address = addressOf(o);
    for (unsigned lane = 0; lane < 32; ++lane) std::memcpy(room + lane, &address, sizeof(T));
    return room;
  }
  if (o.bytes == sizeof(T)) return reinterpret_cast<const T*>(frame + o.place);
  for (unsigned lane = 0; lane < 32; ++lane) {  // the register has another size
    uint64_t value = 0;
    std::memcpy(&value, frame + o.place + lane * o.bytes, o.bytes);
    std::memcpy(room + lane, &value, sizeof(T));
  }
  return room;
}

// Runs some blocks of a launch, in the order of their numbers. Throws Unsupported: where they touch
// memory that is not there, or do what is not known here; TooLong where their warps do more than
// mostInstructions, which what waits for ever does, too.
void execute(const Module& module, const Function& kernel, const LaunchOfCode& launch,
             const std::vector<uint64_t>& blocks, Memory& memory, Listener& listener,
             uint64_t mostInstructions);
// Of each of the blocks' warps the first instructions, at most up to a barrier. Throws Unsupported
// as execute() does.
void executeFirst(const Module& module, const Function& kernel, const LaunchOfCode& launch,
                  const std::vector<uint64_t>& blocks, Memory& memory, Listener& listener,
                  uint64_t instructionsOfWarp);

}  // namespace estimate::gpu_code
