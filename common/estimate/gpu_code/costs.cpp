// What ptxas makes of PTX, by rules of structure: how many instructions of the machine each of PTX
// becomes, and of which kind.
#include "estimate/gpu_code/costs_state.h"
#include "estimate/gpu_code/matrices.h"

namespace estimate::gpu_code {
// Cycles of a scheduler's units, as measured on an H200: 2.0 for integers (also comparisons with a
// selection) and doubles, 4.0 for upper halves of products. Instructions on floats have two such
// units, and keep none busy for longer than it takes to issue them.
UnitCycles unitCyclesOf(const Instruction& i) {
  const float count = i.cost.count;
  if (count == 0 || i.op == Op::call || multipliesMatrices(i)) return i.cost.unitCycles;
  if (const float wide = i.cost.unitCycles[1]; wide > 0) return {0, wide * count};
  if (i.op == Op::div || i.op == Op::rem) {
    if (i.type == Type::f64) return {count - 8, 0, 2 * 8};
    if (isFloat(i.type)) return {};
    // of nine: three comparisons, three sums or copies, three products, one for upper halves
    return {0.65f * count, 0.95f * count, 0, 0.65f * count};
  }
  if (i.type == Type::f64 && i.op == Op::setp) return {0, 0, doubleComparisonCycles};
  if (i.type == Type::f64 && isAnyOf(i.op, {Op::min, Op::max})) return {2 * (count - 2), 0, 4};
  if (i.type == Type::f64 && isAnyOf(i.op, {Op::sqrt, Op::rcp, Op::rsqrt}))
    return {0, 0, 2 * (i.op == Op::sqrt ? 8.0f : 5.0f)};
  if (i.op == Op::cvt && (i.type == Type::f64 || i.from == Type::f64)) return {};
  if (i.type == Type::f64) return {0, 0, 2 * count};
  if (i.op == Op::mul || i.op == Op::mad || i.op == Op::dp2a || i.op == Op::dp4a ||
      (i.op == Op::carry && i.mode == modes::product)) {
    if (isFloat(i.type)) return {};
    const bool isWide = count <= 1 && !i.high && (i.wide || is64(i.type));
    return {0, 2 * count * (i.high ? 2 : 1) + (isWide ? wideProductCycles - 2 : 0), 0};
  }
  const bool isFloats =
      isFloat(i.type) && i.op != Op::setp && i.op != Op::selp && i.op != Op::min && i.op != Op::max;
  if (isFloats || isAnyOf(i.op, {Op::bra, Op::brx, Op::ret, Op::exit, Op::ld, Op::call, Op::wmma,
                                 Op::mma, Op::fence, Op::cp}))
    return {};
  // Sums and copies are also made by the unit for products: 1.1 cycles beside as many of bits.
  // So are shifts to the left by a constant.
  const bool isProduct = i.op == Op::shl && i.from_[1].kind == Operand::Kind::constant;
  if (isProduct || isAnyOf(i.op, {Op::mov, Op::add, Op::sub, Op::carry}))
    return {0, 0, 0, 2 * count};
  return {2 * count, 0, 0};
}

// A value goes into the register of the next turn's, and that is still read when the value is made:
// both cannot be one register.
bool Costs::needsCopy(const Instruction& i) const {
  if (i.from_.size() != 1 || i.to.size() != 1 || i.from_[0].kind != Operand::Kind::reg)
    return false;
  const auto& made = uses_.all[i.from_[0].reg];
  if (made.writers.size() != 1 || uses_.all[i.to[0].reg].writers.size() < 2) return false;
  const Instruction* const writer = made.writers[0];
  if (steppedBy(*writer) == i.to[0].reg) return false;  // it is made later
  for (const BasicBlock& block : f_.blocks) {
    if (!holds(block, *writer)) continue;
    return std::ranges::any_of(uses_.all[i.to[0].reg].readers, [&](const Instruction* reader) {
      if (holds(block, *reader)) return reader > writer;
      return std::ranges::any_of(block.next, [&](uint32_t next) {
        return holds(f_.blocks[next], *reader) && !holds(f_.blocks[next], i);
      });
    });
  }
  return false;
}

bool Costs::isConstant(const Operand& o) const { return constantOf(o) != nullptr; }

const Operand* Costs::constantOf(const Operand& o) const {
  if (o.kind != Operand::Kind::reg) return o.kind == Operand::Kind::constant ? &o : nullptr;
  const auto& writers = uses_.all[o.reg].writers;
  if (writers.size() != 1 || writers[0]->op != Op::mov || writers[0]->from_.size() != 1)
    return nullptr;
  const Operand& from = writers[0]->from_[0];
  return from.kind == Operand::Kind::constant ? &from : nullptr;
}

bool Costs::areInOneBlock(const Instruction& one, const Instruction& other) const {
  return std::ranges::any_of(
      f_.blocks, [&](const BasicBlock& block) { return holds(block, one) && holds(block, other); });
}

// A product of two numbers of 32 bits: IMAD.WIDE. Where one of them got its upper half in another
// block, ptxas sees that of numbers without sign alone.
bool Costs::isWideProduct(const Instruction& i) const {
  if (i.op != Op::mul || isFloat(i.type) || i.high) return false;
  const auto isOf32Bits = [&](const Operand& o) {
    if (o.kind == Operand::Kind::constant) return o.offset >= 0 && o.offset <= INT32_MAX;
    if (o.kind != Operand::Kind::reg) return false;
    const auto& writers = uses_.all[o.reg].writers;
    if (writers.size() != 1) return false;
    const Type from = writers[0]->op == Op::cvt ? writers[0]->from : writers[0]->type;
    return isAnyOf(writers[0]->op, {Op::cvt, Op::ld}) && bytesOf(from) == 4 && !isFloat(from) &&
           !isSigned(from);
  };
  return i.wide || (is64(i.type) && std::ranges::all_of(i.from_, isOf32Bits));
}

// A wide product of which nothing but sums is made, as of one index into several arrays: each is
// an IMAD.WIDE, also in a loop that the product is made before.
bool Costs::isOnlyForSums(const Instruction& i) const {
  const auto& readers = uses_.all[i.to[0].reg].readers;
  return isWideProduct(i) && !readers.empty() && uses_.all[i.to[0].reg].writers.size() == 1 &&
         std::ranges::all_of(readers, [&](const Instruction* r) {
           return r->op == Op::add && is64(r->type) && !isStep(*r) && isRegister(r->from_[1]) &&
                  r->from_[0].reg != r->from_[1].reg;
         });
}

bool Costs::isSumOfProduct(const Instruction& i) const {
  return !isStep(i) && comesOf(i, [&](const Instruction& p) { return isOnlyForSums(p); });
}

// A wide product and a number without sign that another block widened: its two halves are copied.
bool Costs::isOfWidened(const Instruction& sum) const {
  return comesOf(sum, [&](const Instruction& i) {
    return i.op == Op::cvt && is64(i.type) && i.from == Type::u32 && !areInOneBlock(i, sum);
  });
}

// An element's place by an index that is masked with a constant for nothing else.
bool Costs::isOfMask(const Instruction& sum) const {
  const auto isMask = [&](const Instruction& i) {
    return i.op == Op::and_ && isConstant(i.from_[1]) && uses_.all[i.to[0].reg].readers.size() == 1;
  };
  return comesOf(sum, [&](const Instruction& product) {
    return isOnlyForSums(product) && !isSigned(product.type) && comesOf(product, isMask);
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

bool Costs::isComparedWithZero(const Instruction& i) const {
  const auto& readers = uses_.all[i.to[0].reg].readers;
  return readers.size() == 1 && readers[0]->op == Op::setp && readers[0]->from_.size() == 2 &&
         readers[0]->from_[1].kind == Operand::Kind::constant && readers[0]->from_[1].offset == 0;
}

// Of logic on 64 bits, the words of 32 that a constant does not leave as they are or make 0.
static unsigned wordsOf(const Instruction& i) {
  if (i.from_.size() < 2 || i.from_[1].kind != Operand::Kind::constant) return 2;
  const auto value = uint64_t(i.from_[1].offset);
  unsigned words = 0;
  for (const auto word : {uint32_t(value), uint32_t(value >> 32)})
    words += word != 0 && (i.op != Op::and_ || word != UINT32_MAX);
  return words;
}

// A parameter of the kernel's, not what was called returned.
bool Costs::isOfLaunch(const Instruction& load) const {
  const auto& its = f_.parameters;
  return f_.isKernel && !its.empty() &&
         load.from_[0].offset < int64_t(its.back().place) + its.back().bytes;
}

Cost Costs::costOf(const Instruction& i) const {
  const bool wide = is64(i.type);
  switch (i.op) {
    // Parameters are constants: an instruction for each, as the profiler's counts have it. What a
    // function returned is there.
    case Op::ld:
      if (i.space == Space::param) return isOfLaunch(i) ? times(1, 1) : nothing(false);
      // An upper half with the sign is another instruction.
      {
        Cost cost = times(1, 1);
        cost.before = isSigned(i.type) && bytesOf(i.type) == 4 && i.to[0].bytes == 8 ? 1 : 0;
        return cost;
      }
    // What a function is called with has to be there.
    case Op::st: return i.space == Space::param ? nothing(false) : times(1, 1);
    case Op::cvta: return nothing();
    case Op::mov:
      for (const Operand& o : i.from_) {
        if (o.kind == Operand::Kind::reg && isSpecialRegister(o.reg)) return times(1, 1);  // S2R
        // Where a block's shared memory lies is asked for: S2UR, UMOV, ULEA.
        if (o.kind == Operand::Kind::address && o.space == Space::shared) return times(3, 3);
      }
      if (isConstant(i.from_[0]) && i.type != Type::pred)
        return uses_.all[i.to[0].reg].writers.size() > 1 ? times(1, 1) : nothing();
      return needsCopy(i) ? times(1, 1) : nothing();
    // Only where the upper half is needed, and is not what a wide product makes anyway.
    case Op::cvt:
      if (!isFloat(i.type) && !isFloat(i.from)) {
        if (bytesOf(i.from) == 8 || bytesOf(i.from) == bytesOf(i.type)) return nothing();
        if (wide) {
          const auto& readers = uses_.all[i.to[0].reg].readers;
          const bool all = std::ranges::all_of(readers, [&](const Instruction* r) {
            return isWideProduct(*r) || r->op == Op::shl || r->op == Op::add || r->op == Op::mad;
          });
          return all && !isAddedToProduct(i) ? nothing() : times(1, 1);
        }
        return times(1, 1);
      }
      // F2I is one of the special functions' unit, as are doubles' conversions; I2FP is not.
      return times(1, 1, !isFloat(i.type) || is64(i.type) || is64(i.from));
    case Op::add:
    case Op::sub:
      if (isFloat(i.type)) {
        // a * b + c is one, also where it is not written as one
        if (i.type == Type::f32 &&
            joins(i, [](const Instruction& p) { return p.op == Op::mul && p.type == Type::f32; }))
          return nothing(false);
        return times(1, 1);
      }
      if (wide) {
        // A product of 64 bits begins with an IMAD.WIDE, which has the sum.
        const auto isLongProduct = [&](const Instruction& p) {
          return p.op == Op::mul && is64(p.type) && !isFloat(p.type) && !p.high;
        };
        if (isSumOfProduct(i)) {
          // nvcc shifts before it masks an index, and has a sum of 64 bits then.
          if (isOfMask(i)) return times(3, 3);
          Cost cost = times(isOfWidened(i) ? 3 : 1, 1);
          cost.unitCycles[1] = wideProductCycles / cost.count;
          return cost;
        }
        if (!isStep(i) && joinsInBlock(i, isLongProduct)) return nothing(false);
        // LEA and LEA.HI.X have it with the shift.
        if (joinsInBlock(i, [](const Instruction& p) { return p.op == Op::shl; }))
          return nothing(false);
        return times(2, 2);
      }
      // IMAD, LEA, LEA.HI, and IADD3 of what is not three already
      if (joins(i, [&](const Instruction& p) {
            if (isFloat(p.type) || bytesOf(p.type) != 4) return false;
            const bool isAdd = isAnyOf(p.op, {Op::add, Op::sub}) && p.cost.count > 0;
            if (i.op == Op::sub)
              return isAdd || (p.op == Op::mul && p.from_[1].kind == Operand::Kind::constant);
            return isAdd || (p.op == Op::mul && !p.wide && !p.high) ||
                   isAnyOf(p.op, {Op::shl, Op::shr});
          }))
        return nothing(false);
      return times(1, 1);
    case Op::and_:
      // LOP3 compares with 0, too
      if (!wide && i.type != Type::pred && isComparedWithZero(i)) return nothing(false);
      [[fallthrough]];
    case Op::or_:
    case Op::xor_:
    case Op::not_:
      if (i.type == Type::pred)
        return nothing(false);  // with the comparison that makes one of them
      // LOP3 takes three
      if (joins(i, [&](const Instruction& p) {
            return isAnyOf(p.op, {Op::and_, Op::or_, Op::xor_, Op::not_}) &&
                   bytesOf(p.type) == bytesOf(i.type) && (p.cost.count > 0 || p.op == Op::not_);
          }))
        return nothing(false);
      return times(wide ? wordsOf(i) : 1, 1);
    case Op::mul:
      if (isFloat(i.type)) return times(1, 1);
      if (isOnlyForSums(i)) return nothing(false);
      if (wide) return i.high ? times(8, 5) : isWideProduct(i) ? times(1, 1) : times(4, 3);
      return times(1, 1);
    case Op::mad: return wide && !isFloat(i.type) && !i.wide ? times(4, 3) : times(1, 1);
    case Op::shl:
      if (!wide) return times(1, 1);
      {
        const auto& readers = uses_.all[i.to[0].reg].readers;
        const bool isAddress = readers.size() == 1 && readers[0]->op == Op::add;
        return times(2, isAddress ? 2 : 1);
      }
    case Op::neg:
    case Op::abs:
      if (isFloat(i.type)) return nothing(false);  // an operand may be negated, and have no sign
      return wide ? times(2, 1) : times(1, 1);
    case Op::selp: return wide && !isFloat(i.type) ? times(2, 1) : times(1, 1);
    case Op::shr: return wide ? times(2, 1) : times(1, 1);
    case Op::min:
    case Op::max:
      if (i.type == Type::f64) return times(8, 4.7);
      return wide && !isFloat(i.type) ? times(4, 2) : times(1, 1);
    // A predicate is there 13 cycles later (ptxas's own stalls), not 4.
    case Op::setp:
      return wide && i.type != Type::f64 ? times(2, 1 + predicateChain) : times(1, predicateChain);
    case Op::popc:
    case Op::clz: return wide ? times(3, 2, 2) : times(1, 1, 1);
    case Op::bfe:
    case Op::bfi: return wide ? times(4, 3) : times(2, 2);
    // Divisions: by Newton's method, in line; a way out for what is rare is a branch beside it.
    case Op::div:
    case Op::rem:
      if (i.type == Type::f32) return i.mode == modes::approx ? times(2, 2, 1) : times(10, 7, 2);
      if (i.type == Type::f64) return times(16, 27, 1);
      if (wide) return times(78, 70, 2);
      if (i.from_[1].kind == Operand::Kind::constant) return times(5, 5);
      // all in one chain, and two of them wait for predicates
      if (isSigned(i.type)) return times(i.op == Op::div ? 23 : 21, 19 + 2 * predicateChain, 3);
      return times(i.op == Op::div ? 18 : 17, 15 + 2 * predicateChain, 3);
    case Op::sqrt:
      if (i.type == Type::f64) return times(18, 21, 1);
      return i.mode == modes::approx ? times(2, 2, 1) : times(10, 9, 1);
    case Op::rcp:
      if (i.type == Type::f64) return times(11, 16, 1);
      return i.mode == modes::approx ? times(1, 1, 1) : times(10, 15, 1);
    case Op::rsqrt: return i.type == Type::f64 ? times(14, 15, 1) : times(1, 1, 1);
    case Op::ex2:
    case Op::lg2:
    case Op::sin:
    case Op::cos:
    case Op::tanh: return times(1, 1, 1);
    case Op::call: return costOfCall(i.name);
    case Op::carry:
      if (!wide) return times(1, 1);
      return i.mode == modes::product ? times(5, 4) : times(2, 2);
    case Op::bra: return times(i.guard.kind == Operand::Kind::none ? 0 : 1, 1);
    case Op::brx: return times(4, 3);
    case Op::ret: return times(1, 1);
    case Op::fence:
    case Op::activemask: return times(1, 1);
    case Op::match: return times(1, 1);
    default: return multipliesMatrices(i) ? costOfProduct(i) : times(1, 1);
  }
}

}  // namespace estimate::gpu_code
