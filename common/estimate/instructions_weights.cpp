#include "estimate/instructions_weights.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace estimate {
namespace {

bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

bool startsWith(const std::string& name, std::initializer_list<const char*> beginnings) {
  return std::ranges::any_of(beginnings, [&](const char* b) { return name.starts_with(b); });
}

bool isConstant(const std::string& operand) { return operand.starts_with('$'); }

// A memory operand's base and index: "0x70(%rax,%rbx,4)".
struct Parts {
  std::string base, index;
};
Parts partsOf(const std::string& operand) {
  const size_t open = operand.find('('), close = operand.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return {};
  const std::string inside = operand.substr(open + 1, close - open - 1);
  const size_t comma = inside.find(',');
  Parts parts{registerOf(inside.substr(0, comma)), ""};
  if (comma != std::string::npos) {
    const size_t second = inside.find(',', comma + 1);
    parts.index = registerOf(inside.substr(comma + 1, second - comma - 1));
  }
  return parts;
}

// What set a register last before a place, within the function and not far away; -1 where unknown.
long lastSet(const std::vector<MachineInstruction>& code, const std::string& name, long before) {
  constexpr long far = 120;
  for (long i = before - 1; i >= 0 && i > before - far; --i) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.function != code[size_t(before)].function) return -1;
    if (m.checksBounds || m.operands.empty() || startsWith(m.name, {"cmp", "test", "push"}))
      continue;
    if (registerOf(m.operands.back()) == name) return i;
  }
  return -1;
}

bool isSetToConstant(const std::vector<MachineInstruction>& code, const std::string& operand,
                     long before) {
  const long set = lastSet(code, registerOf(operand), before);
  if (set < 0) return false;
  const MachineInstruction& m = code[size_t(set)];
  return m.name == "xor" || (m.name.starts_with("mov") && isConstant(m.operands[0]));
}

// Whether a register begins a loop with a constant, and changes only by constants in it.
bool isCounter(const std::vector<MachineInstruction>& code, const std::string& name,
               const Loop& loop) {
  for (long i = loop.first; i <= loop.last; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.checksBounds || m.operands.empty() || startsWith(m.name, {"cmp", "test", "push"}))
      continue;
    if (registerOf(m.operands.back()) != name) continue;
    const bool byConstant = m.operands.size() == 1 || isConstant(m.operands[0]);
    if (!byConstant || !startsWith(m.name, {"add", "sub", "shl", "shr", "sar"})) return false;
  }
  return isSetToConstant(code, "%" + name, loop.first);
}

// Whether a register holds another one plus a constant: the end of an array of constant length.
bool isSetToEnd(const std::vector<MachineInstruction>& code, const std::string& operand,
                long before) {
  const long set = lastSet(code, registerOf(operand), before);
  return set >= 0 && code[size_t(set)].name == "lea" &&
         partsOf(code[size_t(set)].operands[0]).index.empty();
}

// Whether the loop from first to the conditional jump at last makes a number of turns that the
// compiler knows.
bool hasConstantTurns(const std::vector<MachineInstruction>& code, long first, long last) {
  long i = last - 1;
  while (i > first &&
         (code[size_t(i)].checksBounds || startsWith(code[size_t(i)].name, {"mov", "lea", "nop"})))
    --i;
  const MachineInstruction& m = code[size_t(i)];
  if (m.operands.empty()) return false;
  const std::string& counter = m.operands.back();
  const bool withConstant = m.operands.size() == 1 || isConstant(m.operands[0]);
  if (m.name.starts_with("cmp") && withConstant) return isSetToConstant(code, counter, first);
  if (m.name.starts_with("cmp"))
    return isSetToEnd(code, m.operands[0], first) || isSetToEnd(code, counter, first);
  return withConstant && startsWith(m.name, {"sub", "add", "dec", "inc", "shr", "sar", "shl"}) &&
         isSetToConstant(code, counter, first);
}

bool isStraight(const std::vector<MachineInstruction>& code, long first, long last) {
  constexpr long longest = 60;
  long length = 0;
  for (long i = first; i < last; ++i) {
    if (code[size_t(i)].isCall() && isExecutor(code[size_t(i)])) return false;
    length += !code[size_t(i)].checksBounds;
  }
  return length < longest;
}

}  // namespace

bool isInstrumentation(const MachineInstruction& call) {
  return call.comment.starts_with("<__tsan_") || call.comment.starts_with("<__sanitizer_") ||
         call.comment.starts_with("<__ubsan_");
}

bool isExecutor(const MachineInstruction& call) { return call.comment.starts_with("<_ZN4simt"); }

Loops::Loops(const std::vector<MachineInstruction>& code, const Disassembly& disassembly) {
  for (long i = 0; i < long(code.size()); ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (!m.isJump() || m.checksBounds || m.target == 0 || m.target > m.address) continue;
    const long first = disassembly.indexAt(m.target);
    if (first < 0 || code[size_t(first)].function != m.function) continue;
    LoopKind kind = LoopKind::kept;
    if (m.isConditional() && hasConstantTurns(code, first, i))
      kind = LoopKind::unrolled;
    else if (isStraight(code, first, i))
      kind = LoopKind::unrolledByFour;
    loops_.push_back({first, i, kind});
    closing_.insert(i);
  }
}

Loop Loops::around(long place) const {
  Loop best;
  for (const Loop& loop : loops_) {
    const bool inside = loop.first <= place && place <= loop.last;
    const bool closer =
        best.kind == LoopKind::none || loop.last - loop.first < best.last - best.first;
    if (inside && closer) best = loop;
  }
  return best;
}

// ---- Weights

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
  return wide ? 2 : 1;
}

float Weigher::weightOf(long place) const {
  const MachineInstruction& m = code_[size_t(place)];
  const Loop loop = loops_.around(place);
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
  if (isOneOf(m.name, {"xor", "pxor", "xorps"}) && m.operands[0] == to) return 0.2f;
  if (registerOf(to) == "sp") return 0;
  if (isOneOf(m.name, {"add", "sub", "addq", "subq", "addl", "subl"}))
    return weightOfSum(m, scale, loop.kind);
  if (isOneOf(m.name, {"addss", "addsd", "subss", "subsd"}) &&
      (products_.contains(registerOf(m.operands[0])) || products_.contains(registerOf(to))))
    return 0;
  // Half as many doubles as floats are computed in a cycle.
  if (startsWith(m.name, {"adds", "subs", "muls", "vadds", "vmuls"}) && m.name.ends_with('d'))
    return 2;
  return wide ? 2 : 1;
}

bool Weigher::isKnown(const std::string& operand, const Loop& loop) const {
  if (isConstant(operand)) return true;
  const std::string name = registerOf(operand);
  return !name.empty() && (known_.contains(name) || isCounter(code_, name, loop));
}

// Where a loop is unrolled, its counter is a constant in each turn, and so are the places in a
// thread's own array that are computed from it: those are registers.
bool Weigher::folds(long place) {
  const MachineInstruction& m = code_[size_t(place)];
  if (m.operands.empty() || startsWith(m.name, {"cmp", "test", "push"})) return false;
  const Loop loop = loops_.around(place);
  const std::string to = registerOf(m.operands.back());
  if (loop.kind != LoopKind::unrolled || to.empty()) return false;
  const bool computes = startsWith(m.name, {"add", "sub", "shl", "shr", "sar"});
  const bool isOwn = m.name == "lea" && m.operands[0].find("(%rsp)") != std::string::npos;
  const bool isMove = m.name.starts_with("mov") && isKnown(m.operands[0], loop);
  const bool folds = computes && std::ranges::all_of(m.operands, [&](const std::string& operand) {
                       return isKnown(operand, loop);
                     });
  if (folds || isOwn || isMove)
    known_.insert(to);
  else
    known_.erase(to);
  return folds;
}

void Weigher::follow(long place, float weight) {
  const MachineInstruction& m = code_[size_t(place)];
  if (m.operands.empty()) return;
  const std::string to = registerOf(m.operands.back());
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
  const float weight = folds(place) ? 0 : weightOf(place);
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
    if (!isAddress || isExecutor(call)) w->weight = 0;
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
