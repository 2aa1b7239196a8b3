// Reads PTX into a Module: declarations here, instructions in names.cpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

// Registers that every frame begins with, 32 bits a lane.
extern const std::vector<std::string> specialRegisters;
// Of each constant: a value for each lane, of 1, 2, 4 and 8 bytes.
constexpr uint32_t constantBytes = 32 * (1 + 2 + 4 + 8);

Type typeNamed(std::string_view name);  // "u32"; Type::none where it is none
std::optional<Op> opNamed(std::string_view name);

// Fills op, types, space and modes from the parts of its name. Throws Unsupported.
void readName(Instruction& instruction, std::string_view name);

}  // namespace estimate::gpu_code
