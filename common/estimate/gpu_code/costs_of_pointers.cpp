// Indices of which nvcc makes pointers: where a loop goes up by one, an address goes on by an
// element or by a row's length, and nothing is left of the index.
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

// What becomes of the first where it is multiplied: k * n is a row's length more in each turn.
Costs::Course Costs::courseOfProduct(Course of, const Operand& by) const {
  return of == Course::stays                      ? Course::stays
         : of == Course::byOne && !isConstant(by) ? Course::byRow
                                                  : Course::bySome;
}

// Of what one instruction makes of others; courses are those of registers.
Costs::Course Costs::courseOf(const Instruction& i, const std::vector<Course>& courses) const {
  const auto at = [&](const Operand& o) { return isRegister(o) ? courses[o.reg] : Course::stays; };
  const auto sumOf = [](Course a, Course b) {
    return a == Course::byOne && b == Course::byOne ? Course::bySome : std::max(a, b);
  };
  if ((i.isMemory() && i.space != Space::param) || i.op == Op::call) return Course::otherwise;
  Course most = Course::stays;
  for (const Operand& o : i.from_) most = std::max(most, at(o));
  if (most == Course::stays || most == Course::otherwise) return most;
  if (isFloat(i.type) || i.wide || i.high) return Course::otherwise;
  if (isAnyOf(i.op, {Op::mov, Op::cvt})) return most;
  if (isAnyOf(i.op, {Op::add, Op::sub, Op::or_})) return sumOf(at(i.from_[0]), at(i.from_[1]));
  if (isAnyOf(i.op, {Op::mul, Op::mad})) {
    const Operand &a = i.from_[0], &b = i.from_[1];
    const Course product = at(b) == Course::stays   ? courseOfProduct(at(a), b)
                           : at(a) == Course::stays ? courseOfProduct(at(b), a)
                                                    : Course::otherwise;
    return i.op == Op::mul ? product : sumOf(product, at(i.from_[2]));
  }
  return i.op == Op::shl && at(i.from_[1]) == Course::stays ? Course::bySome : Course::otherwise;
}

// Of each register, in a loop of one block.
std::vector<Costs::Course> Costs::coursesIn(const BasicBlock& block) const {
  std::vector<Course> courses(f_.registers.size(), Course::stays);
  const auto write = [&](const Instruction& i, Course course, bool goesOn) {
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg && (uses_.all[o.reg].writers.size() > 1) == goesOn)
        courses[o.reg] = goesOn ? std::max(courses[o.reg], course) : course;
  };
  for (const Instruction& i : block.code)
    write(i, stepsByConstant(i) ? Course::byOne : Course::otherwise, true);
  for (const Instruction& i : block.code) write(i, courseOf(i, courses), false);
  return courses;
}

// A wide product, or a shift, of an index by the bytes of an element.
bool Costs::isOffset(const Instruction& i) const {
  return i.from_.size() == 2 && i.to.size() == 1 && isConstant(i.from_[1]) &&
         (isOnlyForSums(i) || (i.op == Op::shl && is64(i.type)));
}

// Whether nvcc leaves it an index that is made of what the loop counts: a multiple of a constant,
// or a sum without sign, which may go round.
bool Costs::staysIndex(const Instruction& i, const std::vector<Course>& courses) const {
  const Course course = courses[i.from_[0].reg];
  if (course == Course::stays || course == Course::otherwise) return false;
  const auto& writers = uses_.all[i.from_[0].reg].writers;
  const bool isCounter =
      std::ranges::any_of(writers, [](const Instruction* w) { return isStep(*w); });
  return course == Course::bySome || (i.op == Op::mul && !isSigned(i.type) && !isCounter);
}

void Costs::makePointers(BasicBlock& block) {
  if (!countedLoop(block).compare) return;
  const std::vector<Course> courses = coursesIn(block);
  const auto isMoving = [&](const Operand& o) {
    return isRegister(o) && (courses[o.reg] == Course::byOne || courses[o.reg] == Course::byRow);
  };
  const auto isAddress = [&](const Instruction& i) {
    return i.op == Op::add && is64(i.type) && !isStep(i) &&
           std::ranges::all_of(uses_.all[i.to[0].reg].readers, &Instruction::isMemory);
  };
  std::set<const Instruction*> gone;
  for (const Instruction& i : block.code) {
    if (i.op == Op::mul && i.wide && isRegister(i.from_[0]) && staysIndex(i, courses))
      indices_.insert(&i);
    if (i.to.size() == 1 && i.to[0].kind == Operand::Kind::reg &&
        uses_.all[i.to[0].reg].writers.size() == 1 &&
        (isMoving(i.to[0]) || (isOffset(i) && isMoving(i.from_[0]) && !staysIndex(i, courses))))
      gone.insert(&i);
  }
  const auto isNeeded = [&](const Instruction* i) {
    return std::ranges::any_of(uses_.all[i->to[0].reg].readers, [&](const Instruction* reader) {
      return !gone.contains(reader) && !(isOffset(*i) && isAddress(*reader));
    });
  };
  while (std::erase_if(gone, isNeeded) > 0) {
  }
  for (Instruction& i : block.code) {
    if (gone.contains(&i)) i.cost = nothing();
    const auto isGone = [&](const Instruction& g) { return isOffset(g) && gone.contains(&g); };
    const bool isMoved = isAddress(i) && comesOf(i, isGone);
    if (isMoved && !isSumOfProduct(i)) i.cost = times(2, 2);  // by a length of 64 bits
  }
}

}  // namespace estimate::gpu_code
