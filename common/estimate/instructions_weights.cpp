#include "estimate/instructions_weights.h"

#include <algorithm>
#include <numeric>

#include "estimate/instructions_operands.h"

namespace estimate {

float Weigher::weightOfMove(const MachineInstruction& m) const {
  if (m.operands.size() < 2) return 0;
  const std::string &from = m.operands[0], &to = m.operands[1];
  if (from.find("(%rip)") != std::string::npos) {
    // A special register is read by an instruction, what is constant for the launch by none.
    const bool isIndex = m.comment.find("threadIdx") != std::string::npos ||
                         m.comment.find("blockIdx") != std::string::npos;
    return isIndex ? 1 : 0;
  }
  if (isMemory(from) || isMemory(to)) return 0;  // the access itself, or a register of its own
  if (isConstant(from)) return 0.2f;
  const bool widens = startsWith(m.name, {"movs", "movz"}) && !isOneOf(m.name, {"movss", "movsd"});
  return widens ? 0.5f : 0.1f;
}

// Two numbers of 32 bits have a product of 64 by one instruction.
float Weigher::weightOfProduct(long place) const {
  const MachineInstruction& m = code_[size_t(place)];
  return std::ranges::all_of(
             m.operands,
             [&](const std::string& o) { return isZeroExtended(code_, placeOf(o), place); })
             ? 1
             : 3;
}

float Weigher::weightOfSum(const MachineInstruction& m, float scale, LoopKind loop) const {
  const bool wide = is64Bit(m);
  if (isConstant(m.operands[0])) return (wide ? 2 : 1) * scale;
  if (m.operands.size() == 2 && !wide && m.name.starts_with("add")) {
    if (products_.contains(registerOf(m.operands[0])) ||
        products_.contains(registerOf(m.operands[1])))
      return 0;
    // An addition has three inputs.
    if (loop == LoopKind::unrolled || isMemory(m.operands[0])) return 0.6f;
  }
  if (m.operands.size() == 2 && wide && m.name.starts_with("add") &&
      (wideProducts_.contains(placeOf(m.operands[0])) ||
       wideProducts_.contains(placeOf(m.operands[1]))))
    return 0;
  return wide ? 2 : 1;
}

float Weigher::weightOf(long place) const {
  const MachineInstruction& m = code_[size_t(place)];
  const Loop& loop = loops_.around(place);
  const float scale = loop.kind == LoopKind::unrolled         ? 0
                      : loop.kind == LoopKind::unrolledByFour ? 0.25f
                                                              : 1;
  if (startsWith(m.name, {"nop", "push", "pop", "ret", "endbr", "leave", "data16", "cs", "xchg",
                          "clt", "cqto", "cwtl", "ud2", "jmp"}))
    return 0;
  if (m.isCall()) return m.comment.ends_with("@plt>") ? 20 : 0;  // sinf, say
  if (m.isJump()) return loops_.closes(place) ? scale : 1;
  if (m.operands.empty()) return 1;
  const std::string& to = m.operands.back();
  const bool wide = is64Bit(m);
  if (startsWith(m.name, {"cmp", "test"}))
    return (wide ? 2 : 1) * (loops_.closes(place + 1) ? scale : 1);
  if (m.name == "lea") {
    const Parts parts = partsOf(m.operands[0]);
    if (parts.base == "sp") return 0;
    if (!parts.index.empty()) return 1;
    return wide ? 0 : parts.base == registerOf(to) ? scale : 1;  // a load adds a constant itself
  }
  if (m.name.starts_with("mov")) return weightOfMove(m);
  if (isOneOf(m.name, {"divss", "divps"}) || m.name.starts_with("sqrt")) return 9;
  if (m.name == "divsd") return 20;
  if (startsWith(m.name, {"div", "idiv"})) return wide ? 70 : 20;
  // A float that is zero is in a register; before a conversion, it is of the host's own.
  if (isOneOf(m.name, {"pxor", "xorps"}) && m.operands[0] == to)
    return place + 1 < long(code_.size()) && code_[size_t(place + 1)].name.starts_with("cvt") ? 0
                                                                                              : 1;
  if (m.name == "xor" && m.operands[0] == to) return 0.2f;
  if (registerOf(to) == "sp") return 0;
  if (isOneOf(m.name, {"add", "sub", "addq", "subq", "addl", "subl"}))
    return weightOfSum(m, scale, loop.kind);
  if (isOneOf(m.name, {"addss", "addsd", "subss", "subsd"}) &&
      (products_.contains(registerOf(m.operands[0])) || products_.contains(registerOf(to))))
    return 0;
  // Half as many doubles as floats are computed in a cycle.
  if (startsWith(m.name, {"adds", "subs", "muls", "vadds", "vmuls"}) && m.name.ends_with('d'))
    return 2;
  if (m.name == "imul" && wide && m.operands.size() == 2) return weightOfProduct(place);
  return wide ? 2 : 1;
}

// Where a loop is unrolled, its counter is a constant in each turn, and what is computed from it
// and from what stays the same is an address's constant part; of places in a thread's own array, a
// register. Where it is unrolled by four, four turns have one in common. What is compared with
// something else has to be there, and so has a sum of 32 bits, which may wrap around, where 64 bits
// are made of it: both are added up in each turn.
float Weigher::unrolled(long place) {
  const MachineInstruction& m = code_[size_t(place)];
  const Loop& loop = loops_.around(place);
  if (loop.kind != LoopKind::unrolled && loop.kind != LoopKind::unrolledByFour) return 1;
  if (loop.first != othersOf_) {
    othersOf_ = loop.first;
    others_ = loop.others;
  }
  const auto grows = [&](const std::string& o) { return loop.growing.contains(placeOf(o)); };
  if (m.name.starts_with("cmp") && !isConstant(m.operands[0]) && !loops_.closes(place + 1))
    return std::ranges::any_of(m.operands, grows) ? 2 : 1;
  if (m.operands.empty() || startsWith(m.name, {"cmp", "test", "push", "j", "ucomis", "comis"}))
    return 1;
  if (m.name == "mov" && is32Bit(m.operands[0]) && is32Bit(m.operands[1]) && grows(m.operands[0])) {
    others_.insert(placeOf(m.operands[1]));
    return 1;
  }
  const std::string to = placeOf(m.operands.back());
  if (m.isCall() || to.empty()) return 1;
  if (shiftsCounter(m, loop.kind) && !others_.contains(to)) return 0;
  const bool isOwn = m.name == "lea" && m.operands[0].find("(%rsp)") != std::string::npos;
  if (!isOwn && !addsUp(m, others_)) {
    others_.insert(to);
    return 1;
  }
  others_.erase(to);
  return loop.kind == LoopKind::unrolled ? 0 : 0.25f;
}

void Weigher::follow(long place, float weight) {
  const MachineInstruction& m = code_[size_t(place)];
  if (m.operands.empty()) return;
  const std::string to = registerOf(m.operands.back());
  if (m.name == "imul" && is64Bit(m))
    wideProducts_.insert(placeOf(m.operands.back()));
  else if (!m.isJump() && !startsWith(m.name, {"cmp", "test"}))
    wideProducts_.erase(placeOf(m.operands.back()));
  if (startsWith(m.name, {"imul", "mulss", "mulsd"}))
    products_.insert(to);
  else if (startsWith(m.name, {"add", "mov"}))
    products_.erase(to);
  float deepest = 0;
  const auto use = [&](const std::string& name) {
    if (const auto it = depth_.find(name); it != depth_.end())
      deepest = std::max(deepest, it->second);
  };
  const bool overwrites = startsWith(m.name, {"mov", "lea", "cvt"});
  for (const std::string& operand : m.operands) {
    const Parts parts = partsOf(operand);
    use(parts.base);
    use(parts.index);
    if (&operand != &m.operands.back() || !overwrites) use(registerOf(operand));
  }
  if (!to.empty()) depth_[to] = deepest + weight;
  chain_ = std::max(chain_, deepest + weight);
}

// How much of an instruction the unit for special functions does. A division of integers is made of
// a reciprocal, conversions, and two multiplications that take as long.
static float specialOf(const MachineInstruction& m) {
  if (startsWith(m.name, {"div", "idiv"}) && !m.name.ends_with("ss") && !m.name.ends_with("sd"))
    return is64Bit(m) ? 10 : 4;
  if (startsWith(m.name, {"div", "sqrt", "rsqrt"})) return 1;
  const bool converts = startsWith(m.name, {"cvtsi2", "cvttss2si", "cvttsd2si", "cvtss2si"});
  return converts || (m.isCall() && m.comment.ends_with("@plt>")) ? 1 : 0;
}

float Weigher::add(long place) {
  const float weight = unrolled(place) * weightOf(place);
  special_ += specialOf(code_[size_t(place)]);
  if (code_[size_t(place)].isJump()) branches_ += weight;
  follow(place, weight);
  weighed_.push_back({place, weight});
  return weight;
}

void Weigher::forgetArguments(const MachineInstruction& call) {
  std::vector<std::string> arguments;
  if (call.comment.starts_with("<__tsan_")) arguments = {"di"};
  if (isExecutor(call)) arguments = {"di", "si", "dx", "cx", "r8"};
  for (auto w = weighed_.rbegin(); w != weighed_.rend(); ++w) {
    const MachineInstruction& m = code_[size_t(w->place)];
    if (m.isCall()) break;
    if (m.operands.empty() || !startsWith(m.name, {"lea", "mov", "xor"})) continue;
    if (std::ranges::find(arguments, registerOf(m.operands.back())) == arguments.end()) continue;
    // An address that is computed there is computed on a GPU, too.
    const bool isAddress = m.name == "lea" && !partsOf(m.operands[0]).index.empty();
    const bool isAccess = !isExecutor(call) || call.comment.starts_with("<_ZN4simt6atomic");
    if (!isAddress || !isAccess) w->weight = 0;
  }
}

void Weigher::widenAddress() {
  for (auto w = weighed_.rbegin(); w != weighed_.rend(); ++w) {
    const MachineInstruction& m = code_[size_t(w->place)];
    if (m.isCall()) break;
    if (m.name != "lea" || !is64Bit(m)) continue;
    const std::string index = partsOf(m.operands[0]).index;
    if (!index.empty() && !isZeroExtended(code_, index, w->place)) w->weight *= 2;
    break;
  }
}

float Weigher::count() const {
  return std::accumulate(weighed_.begin(), weighed_.end(), 0.0f,
                         [](float sum, const Weighed& w) { return sum + w.weight; });
}

float Weigher::floats() const {
  float sum = 0;
  for (const Weighed& w : weighed_) {
    const std::string& name = code_[size_t(w.place)].name;
    const bool isFloat = name.ends_with("ss") || name.ends_with("sd");
    if (isFloat && !name.starts_with("mov")) sum += w.weight;
  }
  return sum;
}

}  // namespace estimate
