// What clang++ makes of a copy of 16 bytes, as of a float4: two of eight, the upper half first,
// where nvcc has a load and a store of 16; or loads of the three of its four words that are used,
// or two of a float2 that a function was given.
#include <algorithm>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {
namespace {

constexpr int64_t half = 8;

bool isOfEight(const Instruction& i, Op op) {
  return i.op == op && i.vector == 1 && (i.type == Type::u64 || i.type == Type::b64) &&
         !i.isVolatile && i.space != Space::param && i.guard.kind == Operand::Kind::none &&
         i.from_[0].reg != none;
}

// The half below it of the same 16 bytes.
bool isBelow(const Instruction& i, const Instruction& upper) {
  return i.op == upper.op && isOfEight(i, upper.op) && i.space == upper.space &&
         i.from_[0].reg == upper.from_[0].reg && upper.from_[0].offset % 16 == half &&
         i.from_[0].offset == upper.from_[0].offset - half;
}

// The store of what a load has loaded stands behind it.
bool isCopy(const Instruction& load, const Instruction& store) {
  return isOfEight(load, Op::ld) && isOfEight(store, Op::st) &&
         store.from_[1].kind == Operand::Kind::reg && store.from_[1].reg == load.to[0].reg;
}

bool isLoadOfWords(const Instruction& i, unsigned words) {
  return i.op == Op::ld && bytesOf(i.type) == 4 && i.vector == words && !i.isVolatile &&
         i.space == Space::global && i.guard.kind == Operand::Kind::none && i.from_[0].reg != none;
}

bool isBehind(const Instruction& i, const Instruction& before, int64_t bytes) {
  return i.type == before.type && i.from_[0].reg == before.from_[0].reg &&
         i.from_[0].offset == before.from_[0].offset + bytes;
}

// What is loaded in two, the first eight of 16 bytes and four behind them.
bool isOfThree(const Instruction& two, const Instruction& third) {
  return isLoadOfWords(two, 2) && isLoadOfWords(third, 1) && isBehind(third, two, half) &&
         two.from_[0].offset % 16 == 0;
}

// Both halves of eight bytes that stand in one place of the source: nothing is between them.
bool isPair(const Instruction& i, const Instruction& next) {
  constexpr std::ptrdiff_t mostBetween = 4;  // a semicolon, the line's end
  return isLoadOfWords(i, 1) && isLoadOfWords(next, 1) && isBehind(next, i, 4) &&
         i.from_[0].offset % half == 0 &&
         next.text.data() - (i.text.data() + i.text.size()) <= mostBetween;
}

// Whether it is given some of CUDA's pairs, as its name says.
bool knowsPairs(const Function& f) {
  const auto hasName = [&](const char* type) { return f.name.find(type) != std::string::npos; };
  return hasName("6float2") || hasName("4int2") || hasName("5uint2");
}

// A register for what is not used.
Operand unused(Function& f, const Operand& like) {
  f.frameBytes = (f.frameBytes + 63) / 64 * 64;
  Operand o = like;
  o.reg = uint32_t(f.registers.size()), o.place = f.frameBytes;
  f.registers.push_back({"unused", o.place, o.bytes});
  f.frameBytes += 32 * o.bytes;
  return o;
}

}  // namespace

void joinCopies(Function& function) {
  const bool hasPairs = knowsPairs(function);
  for (BasicBlock& block : function.blocks)
    for (size_t k = 0; k + 1 < block.code.size(); ++k) {
      Instruction& load = block.code[k];
      const bool isThree = isOfThree(load, block.code[k + 1]);
      if (!isThree && !(hasPairs && isPair(load, block.code[k + 1]))) continue;
      load.vector = isThree ? 4 : 2;
      load.to.push_back(block.code[k + 1].to[0]);
      if (isThree) load.to.push_back(unused(function, load.to[0]));
      block.code.erase(block.code.begin() + std::ptrdiff_t(k) + 1);
    }
  for (BasicBlock& block : function.blocks) {
    auto& code = block.code;
    for (size_t k = 0; k + 3 < code.size(); ++k) {
      const Instruction &upper = code[k], &its = code[k + 1];
      Instruction &load = code[k + 2], &store = code[k + 3];
      if (!isCopy(upper, its) || !isCopy(load, store) || !isBelow(load, upper) ||
          !isBelow(store, its))
        continue;
      load.vector = store.vector = 2;
      load.to.push_back(upper.to[0]);
      store.from_.push_back(its.from_[1]);
      code.erase(code.begin() + std::ptrdiff_t(k), code.begin() + std::ptrdiff_t(k) + 2);
    }
  }
}

}  // namespace estimate::gpu_code
