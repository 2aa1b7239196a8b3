#include <algorithm>

#include "estimate/instructions_operands.h"
#include "estimate/instructions_weights.h"

namespace estimate {
namespace {

using Code = std::vector<MachineInstruction>;

bool changesNothing(const MachineInstruction& m) {
  return m.checksBounds || m.operands.empty() ||
         startsWith(m.name, {"cmp", "test", "push", "nop", "j", "ucomis", "comis"});
}

// What set a place last before an instruction, within the function and not far away; -1 where
// unknown.
long lastSet(const Code& code, const std::string& place, long before) {
  constexpr long far = 120;
  for (long i = before - 1; i >= 0 && i > before - far; --i) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.function != code[size_t(before)].function) return -1;
    if (!changesNothing(m) && placeOf(m.operands.back()) == place) return i;
  }
  return -1;
}

// Whether a place holds one of some constants: it, or what was moved to it, was set to one.
bool holdsConstant(const Code& code, const std::string& place, long before, unsigned moves = 4) {
  const long set = place.empty() || moves == 0 ? -1 : lastSet(code, place, before);
  if (set < 0) return false;
  const MachineInstruction& m = code[size_t(set)];
  if (m.name == "xor") return m.operands[0] == m.operands.back();
  if (!m.name.starts_with("mov") || isFloat(m)) return false;
  return isConstant(m.operands[0]) || holdsConstant(code, placeOf(m.operands[0]), set, moves - 1);
}

// Whether a place is set to what begins as the thread's index, whose range nvcc knows.
bool isThreadIndex(const Code& code, const std::string& place, long before, unsigned moves = 4) {
  const long set = place.empty() || moves == 0 ? -1 : lastSet(code, place, before);
  if (set < 0) return false;
  const MachineInstruction& m = code[size_t(set)];
  if (!m.name.starts_with("mov")) return false;
  return m.comment.find("threadIdx") != std::string::npos ||
         isThreadIndex(code, placeOf(m.operands[0]), set, moves - 1);
}

// Where a register was loaded in the loop from a place on the stack: that place.
std::string inMemory(const Code& code, const std::string& counter, long first, long before) {
  const long set = lastSet(code, placeOf(counter), before);
  if (set < first) return counter;
  const MachineInstruction& m = code[size_t(set)];
  const bool isLoad = m.name.starts_with("mov") && m.operands[0].ends_with("(%rsp)");
  return isLoad ? m.operands[0] : counter;
}

// Whether a register holds another one plus a constant: the end of an array of constant length.
bool isSetToEnd(const Code& code, const std::string& operand, long before) {
  const long set = lastSet(code, placeOf(operand), before);
  return set >= 0 && code[size_t(set)].name == "lea" &&
         partsOf(code[size_t(set)].operands[0]).index.empty();
}

// Whether the loop from first to the conditional jump at last makes a number of turns that the
// compiler knows.
bool hasConstantTurns(const Code& code, long first, long last) {
  long i = last - 1;
  while (i > first &&
         (code[size_t(i)].checksBounds || startsWith(code[size_t(i)].name, {"mov", "lea", "nop"})))
    --i;
  const MachineInstruction& m = code[size_t(i)];
  if (m.operands.empty()) return false;
  const std::string& counter = m.operands.back();
  const bool withConstant = m.operands.size() == 1 || isConstant(m.operands[0]);
  if (m.name.starts_with("cmp") && withConstant)
    return holdsConstant(code, placeOf(inMemory(code, counter, first, i)), first);
  if (m.name.starts_with("cmp"))
    return isSetToEnd(code, m.operands[0], first) || isSetToEnd(code, counter, first);
  return withConstant && startsWith(m.name, {"sub", "add", "dec", "inc", "shr", "sar", "shl"}) &&
         holdsConstant(code, placeOf(counter), first);
}

// Of a loop that jumps back always: the jump out of it, where that depends on a place that is set
// to nothing but constants before the loop and in it. So a loop of two turns looks. -1: there is
// none.
long endOfTwoTurns(const Code& code, long first, long last) {
  for (long jump = last - 1; jump > first; --jump) {
    const MachineInstruction& m = code[size_t(jump)];
    if (!m.isConditional() || m.checksBounds || m.target <= code[size_t(last)].address) continue;
    const MachineInstruction& test = code[size_t(jump - 1)];
    if (test.operands.size() != 2) return -1;
    const bool isZero = test.name.starts_with("cmp") && test.operands[0] == "$0x0";
    const bool isTest = test.name.starts_with("test") && test.operands[0] == test.operands[1];
    const std::string flag = placeOf(test.operands[1]);
    if (!isZero && !isTest) return -1;
    return holdsConstant(code, flag, first) && holdsConstant(code, flag, last) ? jump : -1;
  }
  return -1;
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

// Sums of what stays the same in a loop and of what grows by the same in each turn: no instruction
// but these leaves one where its operands are such.
bool isLinear(const MachineInstruction& m) {
  if (startsWith(m.name, {"lea", "add", "sub", "inc", "dec", "neg"})) return !isFloat(m);
  if (m.name.starts_with("mov")) return !isFloat(m);
  if (startsWith(m.name, {"shl", "sal", "imul"}))
    return m.operands.size() == 1 || isConstant(m.operands[0]);
  return m.name == "xor" && m.operands.size() == 2 && m.operands[0] == m.operands[1];
}

// Whether an instruction leaves nothing of what its result's place held.
bool overwritesResult(const MachineInstruction& m) {
  return startsWith(m.name, {"mov", "lea"}) || m.operands.size() == 3;
}

// Whether all that an instruction reads is in none of the others.
bool readsOnly(const MachineInstruction& m, const std::set<std::string>& others) {
  if (m.name == "xor" && m.operands.size() == 2 && m.operands[0] == m.operands[1]) return true;
  for (const std::string& operand : m.operands) {
    if (&operand == &m.operands.back() && overwritesResult(m)) continue;
    if (isConstant(operand)) continue;
    const std::string place = placeOf(operand);
    if (m.name == "lea" || place.empty()) {  // an address, or a value in memory
      if (m.name != "lea" && operand.find("(%rip)") == std::string::npos) return false;
      const Parts parts = partsOf(operand);
      if (others.contains(parts.base) || others.contains(parts.index)) return false;
    } else if (others.contains(place)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool addsUp(const MachineInstruction& m, const std::set<std::string>& others) {
  return isLinear(m) && readsOnly(m, others);
}

bool shiftsCounter(const MachineInstruction& m, const Loop& loop) {
  return loop.kind == LoopKind::unrolled && startsWith(m.name, {"shr", "sar"}) &&
         (m.operands.size() == 1 || isConstant(m.operands[0])) &&
         loop.known.contains(placeOf(m.operands.back()));
}

namespace {

// Whether an instruction adds a register to what it sets: if it is a turn's first to set that, it
// grows by what is known only on the GPU, and no address has it as a constant part.
bool growsByRegister(const MachineInstruction& m, const std::string& to) {
  if (m.name.starts_with("lea")) {
    const Parts parts = partsOf(m.operands[0]);
    return !parts.index.empty() && (parts.base == to || parts.index == to);
  }
  const bool doubles = m.operands[0] == m.operands.back();  // as a counter is
  return startsWith(m.name, {"add", "sub"}) && m.operands.size() == 2 &&
         !isConstant(m.operands[0]) && !doubles;
}

// Whether a jump in the loop may leave an instruction out.
bool isLeftOut(const Code& code, const Loop& loop, long place) {
  const uint64_t address = code[size_t(place)].address;
  for (long i = loop.first; i < place; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (!m.isConditional() || m.checksBounds) continue;
    const bool isOver = m.target > address && m.target <= code[size_t(loop.last)].address;
    if (isOver || m.target == code[size_t(loop.first)].address) return true;
  }
  return false;
}

bool computesFrom(const MachineInstruction& m, const std::set<std::string>& known) {
  if (isFloat(m) || !startsWith(m.name, {"mov", "add", "sub", "shl", "sal", "shr", "sar", "inc",
                                         "dec", "neg", "lea", "imul", "and", "or", "xor"}))
    return false;
  if (m.name == "xor" && m.operands[0] == m.operands.back()) return true;
  for (const std::string& operand : m.operands) {
    if (isConstant(operand) || (&operand == &m.operands.back() && overwritesResult(m))) continue;
    const Parts parts = m.name == "lea" ? partsOf(operand) : Parts{placeOf(operand), ""};
    if (!known.contains(parts.base) || (!parts.index.empty() && !known.contains(parts.index)))
      return false;
  }
  return true;
}

// What a loop sets to nothing but constants, and to what is computed from these.
std::set<std::string> knownIn(const Code& code, const Loop& loop) {
  std::set<std::string> known, unknown;
  bool calls = false;
  const auto isSet = [&](const MachineInstruction& m) {
    return !changesNothing(m) && !m.isCall() && !placeOf(m.operands.back()).empty();
  };
  for (long i = loop.first; i <= loop.last; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    calls = calls || (m.isCall() && !isInstrumentation(m));
    if (!isSet(m)) continue;
    const std::string to = placeOf(m.operands.back());
    const bool overwrites = startsWith(m.name, {"mov", "lea"});
    const bool isFirst = known.insert(to).second;
    if (isLeftOut(code, loop, i) ||
        (isFirst && !overwrites && !holdsConstant(code, to, loop.first)))
      unknown.insert(to);
  }
  if (calls) unknown.insert("ax");
  for (const std::string& place : unknown) known.erase(place);
  for (size_t before = SIZE_MAX; before != known.size();) {
    before = known.size();
    for (long i = loop.first; i <= loop.last; ++i) {
      const MachineInstruction& m = code[size_t(i)];
      if (isSet(m) && !computesFrom(m, known)) known.erase(placeOf(m.operands.back()));
    }
  }
  return known;
}

// A jump in the middle out of a loop that jumps back always, whose number of turns is known; -1:
// there is none.
long endInTheMiddle(const Code& code, long first, long last) {
  for (long jump = first + 1; jump < last; ++jump) {
    const MachineInstruction& m = code[size_t(jump)];
    const bool leaves =
        m.isConditional() && !m.checksBounds && m.target > code[size_t(last)].address;
    if (leaves && hasConstantTurns(code, first, jump)) return jump;
  }
  return -1;
}

}  // namespace

// From none on, whatever is set to something else in the loop.
std::set<std::string> Loops::others(const Code& code, const Loop& loop) {
  std::set<std::string> others, set;
  for (long i = loop.first; i <= loop.last; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (changesNothing(m) || m.isCall()) continue;
    const std::string to = placeOf(m.operands.back());
    if (set.insert(to).second && growsByRegister(m, to)) others.insert(to);
  }
  for (size_t before = SIZE_MAX; before != others.size();) {
    before = others.size();
    for (long i = loop.first; i <= loop.last; ++i) {
      const MachineInstruction& m = code[size_t(i)];
      if (m.isCall() && !isInstrumentation(m)) others.insert("a");
      if (changesNothing(m) || m.isCall()) continue;
      const std::string to = placeOf(m.operands.back());
      if (!to.empty() && !addsUp(m, others) && !shiftsCounter(m, loop)) others.insert(to);
    }
  }
  return others;
}

// Of the rest, what grows from a value that no compiler knows.
std::set<std::string> Loops::growing(const Code& code, const Loop& loop) {
  std::set<std::string> growing;
  for (long i = loop.first; i <= loop.last; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.checksBounds || m.operands.size() != 2 || !startsWith(m.name, {"add", "sub"})) continue;
    const std::string to = placeOf(m.operands[1]);
    if (isConstant(m.operands[0]) && !to.empty() && !loop.others.contains(to) &&
        !holdsConstant(code, to, loop.first) && !isThreadIndex(code, to, loop.first))
      growing.insert(to);
  }
  return growing;
}

bool isZeroExtended(const Code& code, const std::string& place, long before, unsigned moves) {
  const long set = place.empty() || moves == 0 ? -1 : lastSet(code, place, before);
  if (set < 0) return false;
  const MachineInstruction& m = code[size_t(set)];
  return is32Bit(m.operands.back()) ||
         (m.name == "mov" && isZeroExtended(code, placeOf(m.operands[0]), set, moves - 1));
}

namespace {

// Whether a jump out of a loop depends on nothing but how many turns there were: with the bound at
// the loop's end it makes one, the smaller of the two.
bool isSecondBound(const Code& code, long jump, const Loop& loop,
                   const std::set<std::string>& others) {
  const MachineInstruction& m = code[size_t(jump)];
  if (!m.isConditional() || m.checksBounds || jump == loop.first || jump == loop.last) return false;
  const bool leaves = m.target > code[size_t(loop.last)].address ||
                      (m.target != 0 && m.target < code[size_t(loop.first)].address);
  const MachineInstruction& test = code[size_t(jump - 1)];
  if (!leaves || !startsWith(test.name, {"cmp", "test"}) || test.checksBounds) return false;
  return std::ranges::all_of(test.operands, [&](const std::string& operand) {
    const std::string place = placeOf(operand);
    return isConstant(operand) || (!place.empty() && !others.contains(place));
  });
}

// Whether a loop goes on by single elements: those that nvcc unrolls by four are unrolled by four
// once more.
bool goesOnByOne(const Code& code, const Loop& loop) {
  bool goesOn = false;
  for (long i = loop.first; i <= loop.last; ++i) {
    const MachineInstruction& m = code[size_t(i)];
    if (m.checksBounds || !startsWith(m.name, {"add", "sub", "inc", "lea"}) || isFloat(m)) continue;
    const std::string to = placeOf(m.operands.back());
    if (m.name == "lea") {
      const Parts parts = partsOf(m.operands[0]);
      if (parts.base == to && !parts.index.empty()) return false;
      continue;
    }
    if (m.operands.size() == 2 && !isConstant(m.operands[0])) {
      if (!isMemory(m.operands[0]) && is64Bit(m)) return false;
      continue;
    }
    if (m.operands.size() == 2 &&
        std::abs(std::strtol(m.operands[0].c_str() + 1, nullptr, 16)) > 16)
      return false;
    goesOn = true;
  }
  return goesOn;
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
    long end = m.isConditional() ? -1 : endOfTwoTurns(code, first, i);
    if (end < 0 && !m.isConditional()) end = endInTheMiddle(code, first, i);
    if (end >= 0) closing_.insert(end);
    if (end >= 0 || (m.isConditional() && hasConstantTurns(code, first, i)))
      kind = LoopKind::unrolled;
    else if (isStraight(code, first, i))
      kind = LoopKind::unrolledByFour;
    Loop loop{first, i, kind};
    if (kind == LoopKind::unrolled) loop.known = knownIn(code, loop);
    if (kind != LoopKind::kept) {
      loop.others = others(code, loop);
      loop.growing = growing(code, loop);
      for (long jump = first; jump < i; ++jump)
        if (jump != end && isSecondBound(code, jump, loop, loop.others)) {
          loop.kind = LoopKind::unrolledByFour;
          closing_.insert(jump);
        }
    }
    if (loop.kind == LoopKind::unrolledByFour) loop.together = goesOnByOne(code, loop) ? 16 : 4;
    loops_.push_back(std::move(loop));
    closing_.insert(i);
  }
}

const Loop& Loops::around(long place) const {
  static const Loop none;
  const Loop* best = &none;
  for (const Loop& loop : loops_) {
    const bool inside = loop.first <= place && place <= loop.last;
    const bool closer =
        best->kind == LoopKind::none || loop.last - loop.first < best->last - best->first;
    if (inside && closer) best = &loop;
  }
  return *best;
}

}  // namespace estimate
