// What ptxas made of a function, where a toolkit was there when the program was compiled (simtcc's
// translate/assembler.h writes it): takes the place of the rules of costs.cpp.
#pragma once

#include <string_view>

#include "estimate/gpu_code/machine_code.h"

namespace estimate::gpu_code {

// Of the function's branches those that ptxas left.
BranchesLeft branchesLeft(Function& function, std::string_view file, MachineCode machine);

// Costs of the function's instructions, and its registers; nothing changes where there is no code.
void takeAssembled(Function& function, std::string_view file, MachineCode machine);

}  // namespace estimate::gpu_code
