// Products of integers: which are one instruction with the sums that they are for.
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// A product of two numbers that were made of 32 bits: IMAD.WIDE.
bool Costs::isWideProduct(const Instruction& i) const {
  if (i.op != Op::mul || isFloat(i.type) || i.high) return false;
  const auto isOf32Bits = [&](const Operand& o) {
    if (o.kind == Operand::Kind::constant) return o.offset >= 0 && o.offset <= INT32_MAX;
    if (o.kind != Operand::Kind::reg) return false;
    const auto& writers = uses_.all[o.reg].writers;
    return writers.size() == 1 && writers[0]->op == Op::cvt && bytesOf(writers[0]->from) == 4 &&
           !isFloat(writers[0]->from);
  };
  return i.wide || (is64(i.type) && std::ranges::all_of(i.from_, isOf32Bits));
}

// A product that several sums of its block have, each of which is then an IMAD.
bool Costs::isOnlyForSums(const Instruction& i) const {
  if (i.op != Op::mul || isFloat(i.type) || bytesOf(i.type) != 4 || i.wide || i.high) return false;
  const auto& of = uses_.all[i.to[0].reg];
  if (of.writers.size() != 1 || of.readers.size() < 2) return false;
  const auto block =
      std::ranges::find_if(f_.blocks, [&](const BasicBlock& one) { return holds(one, i); });
  return block != f_.blocks.end() && std::ranges::all_of(of.readers, [&](const Instruction* r) {
           return r->op == Op::add && bytesOf(r->type) == 4 && !isFloat(r->type) &&
                  isRegister(r->from_[0]) && isRegister(r->from_[1]) && holds(*block, *r);
         });
}

// A number of 32 bits that is added to a wide product: IMAD.WIDE needs its upper half, too.
bool Costs::isAddedToProduct(const Instruction& i) const {
  const auto& readers = uses_.all[i.to[0].reg].readers;
  return std::ranges::any_of(readers, [&](const Instruction* r) {
    return r->op == Op::add &&
           joins(*r, [&](const Instruction& p) { return &p != &i && isWideProduct(p); });
  });
}

// A product that several pointers add: each of them is an IMAD.WIDE.
bool Costs::isOnlyForPointers(const Instruction& i) const {
  if (!isWideProduct(i)) return false;
  const auto& of = uses_.all[i.to[0].reg];
  return of.writers.size() == 1 && of.readers.size() > 1 &&
         std::ranges::all_of(of.readers, [&](const Instruction* r) {
           return r->op == Op::add && is64(r->type) && !isStep(*r) && isRegister(r->from_[0]) &&
                  isRegister(r->from_[1]);
         });
}

// By other than a length times what is loaded.
bool Costs::stepsByRows(const Instruction& i) const {
  if (!isStep(i) || i.from_[1].kind != Operand::Kind::reg) return false;
  const Instruction* const by = uses_.only(i.from_[1]);
  if (!by || by->op != Op::mul || by->from_[1].kind != Operand::Kind::constant) return true;
  return std::ranges::none_of(uses_.all[i.to[0].reg].readers, [&](const Instruction* r) {
    return r->isMemory() && by->from_[1].offset == int64_t(bytesOf(r->type) * r->vector);
  });
}

}  // namespace estimate::gpu_code
