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
    return i == loop.counter || (i->op == Op::mov && isConstant(i->from_[0]));
  };
  return loop.counter && constantOf(loop.compare->from_[1]) &&
         std::ranges::all_of(uses_.all[loop.counter->to[0].reg].writers, begins);
}

// A loop of one block asks for them by a place that goes up, as often for all lanes. What is two
// operands of one instruction has to be in the lanes' registers: LDC.
bool Costs::hasConstantsOfLoop(const BasicBlock& block, const CountedLoop& loop) const {
  if (!loop.counter || divergent_[block.code.back().guard.reg]) return false;
  if (hasKnownTurns(loop)) return true;
  const auto isLoaded = [&](const Operand& o) {
    return o.kind == Operand::Kind::reg &&
           std::ranges::any_of(uses_.all[o.reg].writers, [](const Instruction* one) {
             return one->op == Op::ld && one->space == Space::constant;
           });
  };
  return int32_t(loop.counter->from_[1].offset) > 0 &&
         std::ranges::none_of(block.code, [&](const Instruction& i) {
           return std::ranges::count_if(i.from_, isLoaded) > 1;
         });
}

void Costs::findUniformConstants() {
  findSameForGrid();
  for (BasicBlock& block : f_.blocks) {
    const CountedLoop loop = countedLoop(block);
    const bool isLoop = hasConstantsOfLoop(block, loop);
    for (Instruction& i : block.code) {
      if (i.op != Op::ld || i.space != Space::constant) continue;
      const Operand& place = i.from_[0];
      if (place.reg != none && !(isLoop && sameForGrid_[place.reg])) continue;
      const unsigned bytes = bytesOf(i.type) * i.vector;
      i.isUniform = true;
      i.cost = times(bytes < 4 ? 1 : bytes / 8.0, 0);
    }
  }
}

}  // namespace estimate::gpu_code
