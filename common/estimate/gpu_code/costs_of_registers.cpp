// For how long the scheduler issues nothing, as registers are read and written.
#include <algorithm>
#include <set>
#include <utility>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// How many of its instructions are IMAD.WIDE or IMAD.HI.
static float wideProductsIn(const Instruction& i) {
  if (isFloat(i.type) || i.cost.count == 0) return 0;
  if (i.cost.unitCycles[1] > 0) return std::min(i.cost.count, 1.0f);
  if (isAnyOf(i.op, {Op::div, Op::rem})) return i.cost.count / 9;
  if (!isAnyOf(i.op, {Op::mul, Op::mad})) return 0;
  if (i.high) return i.cost.count;
  return i.wide || is64(i.type) ? std::min(i.cost.count, 1.0f) : 0;
}

// Of doubles, as ptxas's code of seven kernels has it: of products with a sum that read three
// registers, none of them where the one before read it, and of divisions and roots, which have some
// such.
float Costs::registerCyclesOf(const Instruction& i, const Instruction*& before) const {
  if (i.type != Type::f64) return wideProductsIn(i) * behindWideProduct;
  if (isAnyOf(i.op, {Op::div, Op::sqrt})) return 5;
  if (!isAnyOf(i.op, {Op::fma, Op::mad})) return 0;
  const Instruction* const last = std::exchange(before, &i);
  std::set<uint32_t> read;
  for (size_t o = 0; o < i.from_.size(); ++o) {
    const Operand& its = i.from_[o];
    const bool isKept = last && isRegister(last->from_[o]) && last->from_[o].reg == its.reg;
    if (isRegister(its) && !isConstant(its) && !isKept) read.insert(its.reg);
  }
  return read.size() == 3 ? 1.6f : 0;
}

}  // namespace estimate::gpu_code
