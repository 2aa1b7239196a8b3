// What becomes one instruction with its neighbour, or is made once for several.
#include <functional>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// The largest or smallest of three whole numbers, or of a sum and another, is one instruction
// (VIMNMX3, VIADDMNMX), also where it is no less than 0 then.
void Costs::joinMaxima() {
  const auto isBest = [](const Instruction& i) {
    return isAnyOf(i.op, {Op::min, Op::max}) && !isFloat(i.type) && bytesOf(i.type) == 4;
  };
  std::set<const Instruction*> whole;  // those that have a part by now
  for (BasicBlock& block : f_.blocks)
    for (Instruction& i : block.code) {
      const bool isSum = isAnyOf(i.op, {Op::add, Op::sub}) && !isFloat(i.type) && !is64(i.type);
      if (!(isSum || isBest(i)) || i.cost.count == 0 || !uses_.only(i.to[0])) continue;
      const Instruction& best = *uses_.all[i.to[0].reg].readers[0];
      if (!isBest(best) || !areInOneBlock(i, best)) continue;
      const bool isNotNegative = best.op == Op::max && isSigned(best.type) &&
                                 best.from_[1].kind == Operand::Kind::constant &&
                                 best.from_[1].offset == 0;
      const bool isSame = i.op == best.op && i.type == best.type && !whole.contains(&i);
      if (isBest(i) && !isSame && !(isNotNegative && i.type == best.type)) continue;
      if (whole.insert(&best).second) i.cost = nothing(false);
    }
}

// Of places that are masked with a constant, x + 4 and x + 8, nvcc shifts x, once, and adds and
// masks for each.
void Costs::shareShifts(BasicBlock& block) {
  std::set<std::vector<uint32_t>> known;
  // Of which registers it is a sum, and the sums themselves.
  const std::function<void(const Operand&, std::vector<uint32_t>&, std::vector<Instruction*>&)>
      find = [&](const Operand& o, std::vector<uint32_t>& of, std::vector<Instruction*>& sums) {
        Instruction* const i = of.size() + sums.size() < 16 ? madeIn(block, o) : nullptr;
        const bool isSum = i && (i->op == Op::add || (i->op == Op::or_ && isConstant(i->from_[1])));
        if (isSum && i->from_.size() == 2) {
          sums.push_back(i);
          for (const Operand& from : i->from_) find(from, of, sums);
        } else if (isRegister(o) && !isConstant(o)) {
          of.push_back(o.reg);
        }
      };
  for (Instruction& mask : block.code) {
    if (mask.op != Op::and_ || is64(mask.type) || mask.type == Type::pred ||
        !isConstant(mask.from_[1]) || !uses_.only(mask.to[0]))
      continue;
    Instruction* const shift = ofBlock(block, *uses_.all[mask.to[0].reg].readers[0]);
    const bool isWide = shift && shift->op == Op::mul && isOnlyForSums(*shift);
    if (!shift || !(isWide || shift->op == Op::shl) || !isConstant(shift->from_[1])) continue;
    std::vector<uint32_t> of;
    std::vector<Instruction*> sums;
    find(mask.from_[0], of, sums);
    std::ranges::sort(of);
    if (known.insert(of).second) continue;
    if (!isWide)
      shift->cost = nothing();
    else if (Instruction* const sum = madeIn(block, uses_.all[shift->to[0].reg].readers[0]->to[0]);
             sum && isOfMask(*sum))
      sum->cost.count -= 1;
    for (size_t s = 1; s < sums.size(); ++s)
      if (uses_.only(sums[s]->to[0])) sums[s]->cost = nothing();
  }
}

// A value or nothing that is summed up, and a value or what was made of it and of nothing that is
// read later: what is summed up or made has the predicate.
void Costs::joinSelections(BasicBlock& block) {
  const auto isNothing = [&](const Operand& o, Type type) {
    const Operand* const its = constantOf(o);
    const uint64_t sign = is64(type) ? uint64_t(1) << 63 : uint64_t(1) << 31;
    return its && (its->offset == 0 || (isFloat(type) && uint64_t(its->offset) == sign));
  };
  const auto madeOf = [&](const Operand& o, std::initializer_list<Op> ops) -> Instruction* {
    Instruction* const i = uses_.only(o) ? madeIn(block, o) : nullptr;
    return i && isAnyOf(i->op, ops) && !i->wide && !i->high ? i : nullptr;
  };
  const auto isReadLater = [&](const Operand& o, const Instruction& than) {
    return !isRegister(o) || uses_.all[o.reg].writers.size() != 1 ||
           std::ranges::any_of(uses_.all[o.reg].readers, [&](const Instruction* reader) {
             return reader > &than || !holds(block, *reader);
           });
  };
  for (auto at = block.code.rbegin(); at != block.code.rend(); ++at) {
    Instruction& i = *at;
    if (i.op != Op::selp || !uses_.only(i.to[0])) continue;
    const Instruction& reader = *uses_.all[i.to[0].reg].readers[0];
    const Operand &one = i.from_[0], &other = i.from_[1];
    const bool isSum = reader.op == Op::add ||
                       (reader.op == Op::sub && reader.from_[0].reg != i.to[0].reg) ||
                       (reader.op == Op::selp && reader.cost.count == 0);
    // Where one of two conditions holds, the other selects what this one leaves out.
    const Instruction* const less = madeOf(other, {Op::selp});
    const bool isEither = less && isRegister(one) && less->from_[0].reg == one.reg &&
                          isNothing(less->from_[1], i.type);
    if (isRegister(one) && (isEither || isNothing(other, i.type)) && isSum &&
        holds(block, reader)) {
      i.cost = nothing();
      Instruction* const product = madeOf(one, {Op::mul});
      if (product && reader.op != Op::selp) product->cost = nothing(false);
    } else if ((madeOf(one, {Op::mul, Op::add, Op::sub, Op::fma}) && !isReadLater(other, i)) ||
               (madeOf(other, {Op::mul, Op::add, Op::sub, Op::fma}) && !isReadLater(one, i))) {
      i.cost = nothing();
    }
  }
}

}  // namespace estimate::gpu_code
