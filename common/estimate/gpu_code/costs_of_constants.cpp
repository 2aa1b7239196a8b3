// Constants that a whole warp reads at a place known before: ptxas has ULDC for them, two words at
// a time, which takes a place of the schedulers and none of the load/store pipe.
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// Registers made of nothing but symbols, parameters and constants: not of which block this is.
void Costs::findSameForGrid() {
  sameForGrid_.resize(f_.registers.size());
  for (uint32_t reg = 0; reg < sameForGrid_.size(); ++reg)
    sameForGrid_[reg] = !isSpecialRegister(reg) && !divergent_[reg];
  untilNothingChanges(f_, [&](const Instruction& i, uint32_t reg) {
    if (!sameForGrid_[reg]) return false;
    sameForGrid_[reg] = (!i.isMemory() || i.space == Space::param) &&
                        std::ranges::all_of(i.from_, [&](const Operand& o) {
                          return !isRegister(o) || sameForGrid_[o.reg];
                        });
    return !sameForGrid_[reg];
  });
}

// One that counts from a constant to a constant: nvcc unrolls it wholly where it has constants at
// the places that it counts, also a thousand turns, and all these places are known then.
bool Costs::hasKnownTurns(const CountedLoop& loop) const {
  const auto begins = [&](const Instruction* i) {
    return i == loop.counter || (i->op == Op::mov && (isConstant(i->from_[0]) ||
                                                      i->from_[0].reg == loop.counter->to[0].reg));
  };
  return loop.counter && constantOf(loop.compare->from_[1]) &&
         std::ranges::all_of(uses_.all[loop.reg].writers, begins);
}

// A loop of one block asks for them by a place that goes up, as often for all lanes.
bool Costs::hasConstantsOfLoop(const BasicBlock& block, const CountedLoop& loop) const {
  if (!loop.counter || divergent_[block.code.back().guard.reg]) return false;
  return hasKnownTurns(loop) || stepOf(*loop.counter) > 0;
}

bool Costs::readsConstant(const Operand& o) const {
  return o.kind == Operand::Kind::reg &&
         std::ranges::any_of(uses_.all[o.reg].writers, &Instruction::loadsConstant);
}

// Beside a number that is written in the instruction, or another such constant, it has to be in the
// lanes' registers: LDC. Sums of integers have two in one instruction.
bool Costs::isBesideNumber(const Instruction& load) const {
  const auto isConstantToo = [&](const Operand& o) { return readsConstant(o); };
  const auto isNumber = [&](const Operand& o) { return isConstant(o); };
  const auto isSumOfOne = [&](const Instruction* i) {
    return i->op == Op::add && !isFloat(i->type) && std::ranges::any_of(i->from_, isConstantToo);
  };
  const auto isSummedUp = [&](const Operand& o) {
    return isRegister(o) && std::ranges::any_of(uses_.all[o.reg].writers, isSumOfOne);
  };
  const auto asksForIt = [&](uint32_t reg, const Instruction& reader) {
    if (reader.op == Op::setp) return false;
    const bool isSecond = std::ranges::find_if(reader.from_, isConstantToo)->reg != reg;
    const bool isTwice = std::ranges::count(reader.from_, reg, &Operand::reg) > 1;
    return isSecond || isTwice ||
           (isSumOfOne(&reader) && std::ranges::any_of(reader.from_, isSummedUp)) ||
           (isAnyOf(reader.op, {Op::fma, Op::mad}) && std::ranges::any_of(reader.from_, isNumber));
  };
  return std::ranges::any_of(load.to, [&](const Operand& to) {
    return std::ranges::any_of(uses_.all[to.reg].readers, [&](const Instruction* reader) {
      return asksForIt(to.reg, *reader);
    });
  });
}

// A place that is known before the kernel runs.
static bool isSymbol(const Instruction* i) { return i->op == Op::mov && !isRegister(i->from_[0]); }

// Words side by side from such a place: two turns of a loop have one LDC for both.
bool Costs::goesUpByWords(const Instruction& load) const {
  const Operand& place = load.from_[0];
  return bytesOf(load.type) * load.vector == 4 && place.reg != none &&
         std::ranges::all_of(uses_.all[place.reg].writers, [](const Instruction* i) {
           return stepsByConstant(*i) ? i->from_[1].offset == 4 : isSymbol(i);
         });
}

void Costs::findUniformConstants() {
  findSameForGrid();
  for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
    BasicBlock& block = f_.blocks[b];
    const CountedLoop loop = countedLoop(block);
    // What moves does so in no loop, or in this block alone, and no other is around it.
    bool isLoop = false, isInOther = false;
    for (const Loop& around : f_.loops)
      if (around.has[b]) (std::ranges::count(around.has, true) == 1 ? isLoop : isInOther) = true;
    const bool isKnown = isLoop && hasKnownTurns(loop);
    const auto isBeside = [&](const Instruction& i) {
      return i.loadsConstant() && isBesideNumber(i);
    };
    // A place that is in the lanes' registers for one is there for all.
    const bool mayMove = !isInOther && (!isLoop || (hasConstantsOfLoop(block, loop) &&
                                                    std::ranges::none_of(block.code, isBeside)));
    for (Instruction& i : block.code) {
      if (!i.loadsConstant()) continue;
      const Operand& place = i.from_[0];
      const bool isSame = place.reg == none || ((mayMove || isKnown) && sameForGrid_[place.reg]);
      if (!isSame || i.isPredicated || isBesideNumber(i)) {
        if (isLoop && goesUpByWords(i)) i.turnsOfLoad = 2, i.mergedBytes = 8;
        continue;
      }
      const unsigned bytes = bytesOf(i.type) * i.vector;
      i.isUniform = true;
      i.isIndexed = place.reg != none && (block.staysRolled || !isKnown) &&
                    !std::ranges::all_of(uses_.all[place.reg].writers, isSymbol);
      // Of a place that moves by itself, UIADD3 comes with each.
      const bool isRolled = i.isIndexed && block.staysRolled;
      const bool isPair = !isRolled && (isLoop || !i.isIndexed || alignment_[place.reg] >= 8);
      i.uniformReads = bytes < 4 || !isPair ? 1 : bytes / 8.0f;
      i.cost = times(i.uniformReads + (isRolled ? 1 : 0), 0);
    }
  }
}

}  // namespace estimate::gpu_code
