// Which accesses of a block may be to the same memory: what compilers see of their addresses.
#include "estimate/gpu_code/places.h"

#include <map>
#include <optional>

namespace estimate::gpu_code {
namespace {

// What registers have in them, as sums of what is not known and a number.
class Sums {
 public:
  Place of(const Operand& o) {
    if (o.kind == Operand::Kind::constant) return {{}, uint64_t(o.offset)};
    if (!isRegister(o)) return {{{nextUnknown(), 1}}, 0};
    const auto found = known_.find(o.reg);
    if (found == known_.end())
      return known_.emplace(o.reg, Place{{{nextUnknown(), 1}}, 0}).first->second;
    return found->second;
  }
  void execute(const Instruction& i) {
    const std::optional<Place> made = madeBy(i);
    for (const Operand& o : i.to)
      if (o.kind == Operand::Kind::reg)
        known_[o.reg] = made ? *made : Place{{{nextUnknown(), 1}}, 0};
  }

 private:
  uint64_t nextUnknown() { return ++unknowns_; }
  static Place sum(const Place& a, const Place& b, uint64_t sign) {
    Place all = a;
    for (const auto& [what, times] : b.unknown)
      if ((all.unknown[what] += sign * times) == 0) all.unknown.erase(what);
    all.offset += sign * b.offset;
    return all;
  }
  static Place product(const Place& a, uint64_t by) {
    Place all = a;
    for (auto& [what, times] : all.unknown) times *= by;
    all.offset *= by;
    return all;
  }
  // Sums of numbers with a sign stay in range, as compilers take them to.
  std::optional<Place> madeBy(const Instruction& i) {
    const bool isGuarded = i.guard.kind != Operand::Kind::none;
    if (isGuarded || isFloat(i.type) || i.type == Type::pred || bytesOf(i.type) < 4) return {};
    const bool hasSign = isSigned(i.type) || bytesOf(i.type) == 8;
    const auto isNumber = [&](size_t k) { return i.from_[k].kind == Operand::Kind::constant; };
    switch (i.op) {
      case Op::mov:
      case Op::cvta: return i.from_.size() == 1 ? std::optional(of(i.from_[0])) : std::nullopt;
      case Op::cvt:
        return i.type == Type::s64 && i.from == Type::s32 ? std::optional(of(i.from_[0]))
                                                          : std::nullopt;
      case Op::add:
      case Op::sub:
        if (!hasSign) return {};
        return sum(of(i.from_[0]), of(i.from_[1]), i.op == Op::add ? 1 : ~uint64_t(0));
      case Op::mul:
        if (!hasSign || i.high || !isNumber(1)) return {};
        return product(of(i.from_[0]), uint64_t(i.from_[1].offset));
      case Op::mad:
        if (!hasSign || i.high || !isNumber(1)) return {};
        return sum(product(of(i.from_[0]), uint64_t(i.from_[1].offset)), of(i.from_[2]), 1);
      case Op::shl:
        if (bytesOf(i.type) != 8 || !isNumber(1) || i.from_[1].offset > 31) return {};
        return product(of(i.from_[0]), uint64_t(1) << i.from_[1].offset);
      default: return {};
    }
  }

  std::map<uint32_t, Place> known_;
  uint64_t unknowns_ = 0;
};

}  // namespace

std::vector<Place> placesIn(const BasicBlock& block) {
  std::vector<Place> places(block.code.size());
  Sums sums;
  for (size_t k = 0; k < block.code.size(); ++k) {
    const Instruction& i = block.code[k];
    if (i.isMemory() && isRegister(i.from_[0])) {
      places[k] = sums.of(i.from_[0]);
      places[k].offset += uint64_t(i.from_[0].offset);
    }
    sums.execute(i);
  }
  return places;
}

bool haveSameUnknown(const Place& a, const Place& b) {
  return !a.unknown.empty() && a.unknown == b.unknown;
}

bool mayMeet(const Instruction& a, const Place& ofA, const Instruction& b, const Place& ofB) {
  if (a.space == Space::param || b.space == Space::param)
    return a.space == b.space && (a.op == Op::st || b.op == Op::st);
  if (a.isReadOnly || b.isReadOnly) return false;
  if (a.space == Space::constant || b.space == Space::constant) return false;
  if (a.space != b.space && a.space != Space::generic && b.space != Space::generic) return false;
  const Operand &x = a.from_[0], &y = b.from_[0];
  const auto overlap = [&](uint64_t from, uint64_t other) {
    return from - other < bytesAt(b) || other - from < bytesAt(a);
  };
  if (x.reg == y.reg && x.space == y.space) return overlap(uint64_t(x.offset), uint64_t(y.offset));
  return !haveSameUnknown(ofA, ofB) || overlap(ofA.offset, ofB.offset);
}

}  // namespace estimate::gpu_code
