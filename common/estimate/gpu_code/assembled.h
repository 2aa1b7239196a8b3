// What ptxas made of a function, where a toolkit was there when the program was compiled (simtcc's
// translate/assembler.h writes it): takes the place of the rules of costs.cpp.
#pragma once

#include <optional>
#include <set>
#include <string_view>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

// Of the function's branches those that ptxas left, by where their text begins; nothing where the
// file does not say.
using BranchesLeft = std::optional<std::set<const char*>>;
BranchesLeft branchesLeft(Function& function, std::string_view file);

// Costs of the function's instructions, and its registers, from the line that begins with
// "//assembled NAME "; nothing changes where the file has none.
void takeAssembled(Function& function, std::string_view file);

}  // namespace estimate::gpu_code
