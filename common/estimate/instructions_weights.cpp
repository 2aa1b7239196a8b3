#include "estimate/instructions_weights.h"

#include <algorithm>
#include <numeric>

#include "estimate/instructions_operands.h"

namespace estimate {

namespace {

// What nvcc 13 makes of a function of the host's mathematics, or of simt/mathematics.h, for compute
// capability 9.0, on the way that usual arguments take: instructions, of which one with doubles
// takes two, and how many of them use the unit for special functions.
struct Mathematics {
  const char* name;
  float instructions, special;
};
constexpr Mathematics known[] = {
    {"fmaf", 1, 0},          {"fma", 2, 0},         {"floorf", 1, 0},
    {"ceilf", 1, 0},         {"truncf", 1, 0},      {"rintf", 1, 0},
    {"roundf", 4, 0},        {"fmaxf", 1, 0},       {"fminf", 1, 0},
    {"floor", 2, 0},         {"ceil", 2, 0},        {"trunc", 2, 0},
    {"rint", 2, 0},          {"fmax", 7, 0},        {"fmin", 7, 0},
    {"expf", 10, 1},         {"exp2f", 4, 1},       {"logf", 25, 0},
    {"log2f", 25, 0},        {"log10f", 28, 0},     {"log1pf", 30, 0},
    {"sinf", 30, 2},         {"cosf", 30, 2},       {"tanhf", 17, 2},
    {"erff", 29, 1},         {"atanf", 19, 1},      {"cbrtf", 16, 2},
    {"powf", 80, 1},         {"sqrtf", 9, 1},       {"exp", 70, 0},
    {"log", 105, 1},         {"sin", 65, 2},        {"cos", 65, 2},
    {"tanh", 130, 2},        {"erf", 160, 1},       {"atan", 105, 1},
    {"pow", 200, 1},         {"sqrt", 28, 1},       {"simtFastExp", 5, 1},
    {"simtFastExp10", 5, 1}, {"simtFastLog", 5, 1}, {"simtFastLog2", 4, 1},
    {"simtFastLog10", 5, 1}, {"simtFastPow", 9, 2}, {"simtFastSin", 2, 1},
    {"simtFastCos", 2, 1},   {"simtFastTan", 8, 3}, {"simtFastDivide", 6, 1},
    {"simtRsqrt", 4, 1},     {"simtRcbrt", 18, 2},
};
constexpr Mathematics unknown = {"", 20, 1};

// Of a call to a function in a library of the host's, "<expf@plt>", or to one of the executor's.
const Mathematics* mathematicsOf(const MachineInstruction& m) {
  if (!m.isCall()) return nullptr;
  std::string_view name = m.comment;
  constexpr std::string_view ofLibrary = "@plt>", ofExecutor = ">";
  const bool isOfLibrary = name.ends_with(ofLibrary);
  if (!name.starts_with('<') || (!isOfLibrary && !name.starts_with("<simt"))) return nullptr;
  name.remove_prefix(1);
  name.remove_suffix(isOfLibrary ? ofLibrary.size() : ofExecutor.size());
  const auto* const it = std::ranges::find(known, name, &Mathematics::name);
  if (it != std::end(known)) return it;
  return isOfLibrary ? &unknown : nullptr;
}

}  // namespace

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

float Weigher::weightOfSum(const MachineInstruction& m, float scale, const Loop& loop) const {
  const bool wide = is64Bit(m);
  if (isConstant(m.operands[0]) || loop.known.contains(placeOf(m.operands[0])))
    return (wide ? 2 : 1) * scale;
  if (m.operands.size() == 2 && !wide && m.name.starts_with("add")) {
    if (products_.contains(registerOf(m.operands[0])) ||
        products_.contains(registerOf(m.operands[1])))
      return 0;
    // An addition has three inputs.
    if (loop.kind == LoopKind::unrolled || isMemory(m.operands[0])) return 0.6f;
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
  if (m.isCall()) return mathematicsOf(m) ? mathematicsOf(m)->instructions : 0;
  if (m.isJump()) return loops_.closes(place) ? scale : 1;
  if (m.operands.empty()) return 1;
  const std::string& to = m.operands.back();
  const bool wide = is64Bit(m);
  // A comparison leaves a predicate, and takes one.
  if (m.name.starts_with("set")) return 0;
  const auto isPredicate = [&](const std::string& o) { return predicates_.contains(placeOf(o)); };
  if (startsWith(m.name, {"cmp", "test"}) && std::ranges::any_of(m.operands, isPredicate)) return 0;
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
    return weightOfSum(m, scale, loop);
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
  if (shiftsCounter(m, loop) && !others_.contains(to)) return 0;
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
  if (m.name.starts_with("set"))
    predicates_.insert(placeOf(m.operands.back()));
  else if (!m.isJump() && !startsWith(m.name, {"cmp", "test"}))
    predicates_.erase(placeOf(m.operands.back()));
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
  if (const Mathematics* function = mathematicsOf(m)) return function->special;
  return converts ? 1 : 0;
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
