// Indices of which nvcc makes pointers: where a loop goes up by one, an address goes on by an
// element or by a row's length, and nothing is left of the index.
#include <functional>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// What it is a copy of, or a constant more than, in a few steps: what a loop counts has more than
// one writer.
const Operand* Costs::counterBehind(const Operand& o) const {
  const Operand* at = &o;
  for (unsigned steps = 0; steps < 8 && isRegister(*at); ++steps) {
    const auto& writers = uses_.all[at->reg].writers;
    if (writers.size() != 1) return at;
    const Instruction& i = *writers[0];
    const bool isCopy = isAnyOf(i.op, {Op::mov, Op::cvt});
    const bool isMore = isAnyOf(i.op, {Op::add, Op::or_}) && isConstant(i.from_[1]);
    if (!isCopy && !isMore) return nullptr;
    at = &i.from_[0];
  }
  return nullptr;
}

// What becomes of it where it is multiplied, by 0 where that is known only at run time: k * n is a
// row's length more in each turn. A multiple of a sum is one pointer; 3 * k + n is not, nor is
// k * n * 3.
Costs::Course Costs::courseOfProduct(Course course, const Operand& of, int64_t by) const {
  const auto isProduct = [](const Instruction* i) { return isAnyOf(i->op, {Op::mul, Op::shl}); };
  switch (course) {
    case Course::byOne:
      if (by == 0) return Course::byRow;
      return by > 2 && counterBehind(of) ? Course::asMultiple : Course::bySeveral;
    case Course::bySeveral: return by == 0 ? Course::byRow : course;
    case Course::byRow:
      return std::ranges::any_of(uses_.all[of.reg].writers, isProduct) ? Course::asMultiple
                                                                       : course;
    default: return course;
  }
}

// Of what one instruction makes of others; courses are those of registers.
Costs::Course Costs::courseOf(const Instruction& i, const std::vector<Course>& courses) const {
  const auto at = [&](const Operand& o) { return isRegister(o) ? courses[o.reg] : Course::stays; };
  const auto sumOf = [](Course a, Course b) {
    return a == Course::byOne && b == Course::byOne ? Course::bySeveral : std::max(a, b);
  };
  const auto numberIn = [&](const Operand& o) {
    const Operand* const constant = constantOf(o);
    return constant ? constant->offset : 0;
  };
  if ((i.isMemory() && i.space != Space::param) || i.op == Op::call) return Course::otherwise;
  Course most = Course::stays;
  for (const Operand& o : i.from_) most = std::max(most, at(o));
  if (most == Course::stays || most == Course::otherwise) return most;
  if (isFloat(i.type) || i.wide || i.high) return Course::otherwise;
  if (isAnyOf(i.op, {Op::mov, Op::cvt, Op::not_, Op::neg})) return most;
  if (isAnyOf(i.op, {Op::add, Op::sub, Op::or_})) return sumOf(at(i.from_[0]), at(i.from_[1]));
  if (isAnyOf(i.op, {Op::mul, Op::mad})) {
    const Operand &a = i.from_[0], &b = i.from_[1];
    const Course product = at(b) == Course::stays   ? courseOfProduct(at(a), a, numberIn(b))
                           : at(a) == Course::stays ? courseOfProduct(at(b), b, numberIn(a))
                                                    : Course::otherwise;
    return i.op == Op::mul ? product : sumOf(product, at(i.from_[2]));
  }
  const Operand* const shift = i.op == Op::shl ? constantOf(i.from_[1]) : nullptr;
  return shift ? courseOfProduct(at(i.from_[0]), i.from_[0], int64_t(1) << shift->offset)
               : Course::otherwise;
}

// Whether what is compared as the loop's end is has no sign: clang++ widens what counts from 0 as
// if it had none.
bool Costs::countsWithoutSign(const CountedLoop& loop) const {
  std::set<uint32_t> ends;
  bool hasSign = false, hasNone = false;
  const std::function<void(const Operand&)> follow = [&](const Operand& o) {
    if (!isRegister(o) || isSpecialRegister(o.reg) || !ends.insert(o.reg).second) return;
    for (const Instruction* r : uses_.all[o.reg].readers) {
      if (r->op != Op::setp || r->from_.size() < 2) continue;
      const bool isOrder = r->mode != modes::eq && r->mode != modes::ne;
      hasSign = hasSign || (isOrder && isSigned(r->type));
      hasNone =
          hasNone || (isOrder ? !isConstant(r->from_[1]) && !isSigned(r->type)
                              : isConstant(r->from_[1]) && constantOf(r->from_[1])->offset == 0);
    }
    for (const Instruction* w : uses_.all[o.reg].writers)
      if (isAnyOf(w->op, {Op::mov, Op::and_, Op::add, Op::sub, Op::shr, Op::not_}))
        for (const Operand& from : w->from_) follow(from);
  };
  follow(loop.compare->from_[1]);
  return hasNone && !hasSign;
}

// Of each register, in a loop of one block.
std::vector<Costs::Course> Costs::coursesIn(const BasicBlock& block, bool mayGoRound) const {
  std::vector<Course> courses(f_.registers.size(), Course::stays);
  const auto write = [&](const Instruction& i, Course course, bool goesOn) {
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg && (uses_.all[o.reg].writers.size() > 1) == goesOn)
        courses[o.reg] = goesOn ? std::max(courses[o.reg], course) : course;
  };
  for (const Instruction& i : block.code)
    write(i, stepsByConstant(i) ? Course::byOne : Course::otherwise, true);
  // A number without sign may go round before it gets its upper half.
  for (const Instruction& i : block.code) {
    const bool mayGo = i.op == Op::cvt && i.from == Type::u32 && is64(i.type) && mayGoRound;
    const Course course = courseOf(i, courses);
    write(i, mayGo && course != Course::stays ? Course::otherwise : course, false);
  }
  return courses;
}

// A wide product, or a shift, of an index by the bytes of an element.
bool Costs::isOffset(const Instruction& i) const {
  return i.from_.size() == 2 && i.to.size() == 1 && isConstant(i.from_[1]) &&
         (isOnlyForSums(i) || (is64(i.type) && isAnyOf(i.op, {Op::shl, Op::mul})));
}

// Nothing but what is loaded or stored there, or at a sum with it, and so on, reads it.
bool Costs::isAddress(const Instruction& i, unsigned further) const {
  return i.op == Op::add && is64(i.type) && !isStep(i) &&
         std::ranges::all_of(uses_.all[i.to[0].reg].readers, [&](const Instruction* reader) {
           return reader->isMemory() || (further > 0 && isAddress(*reader, further - 1));
         });
}

// Whether nvcc leaves it an index that is made of what the loop counts: a multiple of that, or a
// sum without sign, which may go round.
bool Costs::staysIndex(const Instruction& i, const std::vector<Course>& courses) const {
  const Course course = courses[i.from_[0].reg];
  if (i.op != Op::mul || course == Course::stays || course == Course::otherwise) return false;
  const auto& writers = uses_.all[i.from_[0].reg].writers;
  const bool isCounter =
      std::ranges::any_of(writers, [](const Instruction* w) { return isStep(*w); });
  return !isCounter && (course == Course::asMultiple || !isSigned(i.type));
}

// The number without sign that an instruction widens, of what a loop counts, and what it is
// multiplied by, if that is no constant; or none.
Costs::Widened Costs::widenedBy(const Instruction& i) const {
  const auto step = [&](const Operand& o) {
    const Operand* const counter = counterBehind(o);
    if (!counter) return int64_t(0);
    for (const Instruction* w : uses_.all[counter->reg].writers)
      if (stepsByConstant(*w)) return std::abs(stepOf(*w));
    return int64_t(0);
  };
  if (i.op == Op::cvt && is64(i.type) && i.from == Type::u32) return {step(i.from_[0]), none};
  if (!isWideProduct(i) || (i.wide && isSigned(i.type))) return {};
  const bool isSecond = step(i.from_[0]) == 0;
  const Operand& length = i.from_[isSecond ? 0 : 1];
  return {step(i.from_[isSecond ? 1 : 0]), isConstant(length) ? none : length.reg};
}

// nvcc unrolls no loop that counts by more than one without sign, and ptxas, which does, makes each
// turn's index: where clang++ has one for several turns, they are as many. Of rows one behind the
// other nvcc makes the first one's place, and goes on from it by sums.
void Costs::makeIndices(BasicBlock& block, const CountedLoop& loop) {
  std::map<uint32_t, std::vector<const Instruction*>> rows;  // products by a length
  std::set<uint32_t> indices;                                // registers
  std::vector<Instruction*> made;
  unsigned count = 0;
  bool isByOne = false;
  for (Instruction& i : block.code) {
    const Widened widened = widenedBy(i);
    const bool goesOn = !i.isMemory() && std::ranges::any_of(i.from_, [&](const Operand& o) {
      return isRegister(o) && indices.contains(o.reg);
    });
    if (widened.step == 0 && !goesOn) continue;
    count += widened.step > 0;
    isByOne = isByOne || widened.step == loop.turns;
    if (widened.step > 0 && widened.length != none) rows[widened.length].push_back(&i);
    made.push_back(&i);
    for (const Operand& o : i.to) indices.insert(o.reg);
  }
  if (!isByOne && count > 0) {
    unrolledByPtxas_.insert(&block);
    const float more = std::max(1.0f, float(loop.turns) / float(count));
    for (Instruction* i : made) i->cost.count *= more;
    for (Instruction& i : block.code)
      if (steppedBy(i) != none && &i != loop.counter) i.cost.count *= more;
  }
  for (const auto& [length, products] : rows)
    if (isByOne && products.size() == loop.turns)
      for (const Instruction* product : products)
        goOnBySums(block, *product, product == products[0]);
}

// The place that such a product is a part of.
void Costs::goOnBySums(BasicBlock& block, const Instruction& product, bool isFirst) {
  const auto& readers = uses_.all[product.to[0].reg].readers;
  for (Instruction& i : block.code) {
    const bool isOf = std::ranges::any_of(product.from_, [&](const Operand& o) {
      const Instruction* const widens = uses_.only(o);
      return widens &&
             (widens == &i || (widens->op == Op::cvt && uses_.only(widens->from_[0]) == &i));
    });
    if (isOf) i.cost = nothing();
    if (!isOnlyForSums(product) || &i != readers[0]) continue;
    i.cost = isFirst ? times(3, 2) : nothing();
    if (isFirst) i.cost.unitCycles[1] = wideProductCycles / i.cost.count;
  }
}

void Costs::makePointers(BasicBlock& block) {
  const CountedLoop loop = countedLoop(block);
  if (!loop.compare) return;
  const bool mayGoRound = countsWithoutSign(loop);
  const std::vector<Course> courses = coursesIn(block, mayGoRound);
  const auto courseIn = [&](const Operand& o) {
    return isRegister(o) ? courses[o.reg] : Course::stays;
  };
  const auto isMoving = [&](const Operand& o) {
    return courseIn(o) > Course::stays && courseIn(o) < Course::otherwise &&
           (courseIn(o) != Course::asMultiple || loop.turns > 1 || o.bytes == 8);
  };
  // What is gone, and indices without sign, of which each is a sum in each turn.
  std::set<const Instruction*> gone, sums;
  for (const Instruction& i : block.code) {
    const bool stays = i.wide && isRegister(i.from_[0]) && staysIndex(i, courses);
    if (stays) indices_.insert(&i);
    if (stays && !isSigned(i.type) && isMoving(i.from_[0]))
      sums.insert(uses_.all[i.from_[0].reg].writers[0]);
    const bool isKept = stays && !isSigned(i.type);
    if (i.to.size() == 1 && i.to[0].kind == Operand::Kind::reg &&
        uses_.all[i.to[0].reg].writers.size() == 1 &&
        (isMoving(i.to[0]) || (isOffset(i) && isMoving(i.from_[0]) && !isKept)))
      gone.insert(&i);
  }
  const auto isNeeded = [&](const Instruction* i) {
    return std::ranges::any_of(uses_.all[i->to[0].reg].readers, [&](const Instruction* reader) {
      return !gone.contains(reader) && !(isOffset(*i) && isAddress(*reader)) &&
             !(sums.contains(i) && indices_.contains(reader));
    });
  };
  while (std::erase_if(gone, isNeeded) > 0) {
  }
  const auto isGone = [&](const Instruction& g) { return isOffset(g) && gone.contains(&g); };
  // Addresses by what they go on from: of all turns that are one here, nvcc has one for a multiple.
  std::map<std::pair<uint32_t, Course>, std::vector<Instruction*>> together;
  for (Instruction& i : block.code) {
    if (gone.contains(&i)) i.cost = sums.contains(&i) ? times(1, 1) : nothing();
    const auto offset =
        std::ranges::find_if(i.from_, [&](const Operand& o) { return isMadeBy(o, isGone); });
    if (offset == i.from_.end() || !isAddress(i)) continue;
    const Operand& base = i.from_[offset == i.from_.begin() ? 1 : 0];
    const Course course = courseIn(uses_.all[offset->reg].writers[0]->from_[0]);
    if (course == Course::asMultiple)
      i.cost = times(3, 3);
    else if (course == Course::bySeveral || !isSumOfProduct(i))
      i.cost = times(2, 2);  // by a length of 64 bits
    if (course != Course::byRow) together[{base.reg, course}].push_back(&i);
  }
  // Of shared memory the place itself goes on.
  const auto isPlace = [&](const Instruction* sum) {
    return sum->op == Op::add && !is64(sum->type) && !isStep(*sum) &&
           std::ranges::all_of(uses_.all[sum->to[0].reg].readers, &Instruction::isMemory);
  };
  for (Instruction& i : block.code)
    if (i.op == Op::shl && !is64(i.type) && isConstant(i.from_[1]) && isMoving(i.from_[0]) &&
        std::ranges::all_of(uses_.all[i.to[0].reg].readers, isPlace))
      i.cost = nothing();
  for (auto& [of, addresses] : together) {
    const auto count = unsigned(addresses.size());
    if (count < loop.turns) continue;
    const float share = float((count + loop.turns - 1) / loop.turns) / float(count);
    for (Instruction* i : addresses) i->cost.count *= share;
  }
  if (loop.turns > 1 && mayGoRound) makeIndices(block, loop);
}

}  // namespace estimate::gpu_code
