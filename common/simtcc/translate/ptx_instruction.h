// An instruction of PTX as C++.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::cc {

// Without the blanks around it; and the parts between such characters that are in no brackets.
std::string trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, char at);

// What an asm statement has for its instructions: so many operands, which are called simtOperand0
// and so on, and what they declare.
struct PtxScope {
  size_t operands = 0;
  std::map<std::string, std::string> registers = {};  // the C++ types of .reg, by name
  bool hasCarry = false;                              // of an instruction with .cc, or before
  bool leavesCarry = false;                           // to another statement
};
// The C++ label of one of PTX.
std::string labelOf(const std::string& name);
// Nothing where it is not supported.
std::optional<std::string> translateInstruction(const std::string& text, PtxScope& scope);

}  // namespace simt::cc
