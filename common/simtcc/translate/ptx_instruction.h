// An instruction of PTX as C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::cc {

// Without the blanks around it; and the parts between such characters that are in no brackets.
std::string trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, char at);

// Of an instruction in an asm statement with so many operands, which are called simtOperand0 and so
// on. Nothing where it is not supported.
std::optional<std::string> translateInstruction(const std::string& text, size_t operands);

}  // namespace simt::cc
