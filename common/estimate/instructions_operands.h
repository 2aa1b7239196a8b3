// How the operands of the host's machine instructions are read.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "estimate/instructions_disassembly.h"

namespace estimate {

inline bool isOneOf(const std::string& name, std::initializer_list<const char*> names) {
  return std::ranges::find(names, name) != names.end();
}

inline bool startsWith(const std::string& name, std::initializer_list<const char*> beginnings) {
  return std::ranges::any_of(beginnings, [&](const char* b) { return name.starts_with(b); });
}

// Whether it names a register's lower 32 bits: what is written there leaves zeros above.
inline bool is32Bit(const std::string& operand) {
  return operand.starts_with("%e") || (operand.starts_with("%r") && operand.ends_with('d'));
}

inline bool isConstant(const std::string& operand) { return operand.starts_with('$'); }

// Whether it computes with floats or doubles.
inline bool isFloat(const MachineInstruction& m) {
  return std::ranges::any_of(m.operands, [](const std::string& operand) {
    return operand.starts_with("%xmm") || operand.starts_with("%ymm");
  });
}

// A memory operand's base and index: "0x70(%rax,%rbx,4)".
struct Parts {
  std::string base, index;
};
inline Parts partsOf(const std::string& operand) {
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

// A register by its name, or a place on the stack, where the host keeps what has no register; of
// other memory and of constants, nothing.
inline std::string placeOf(const std::string& operand) {
  return operand.ends_with("(%rsp)") ? operand : registerOf(operand);
}

}  // namespace estimate
