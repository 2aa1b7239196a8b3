// What ptxas makes of PTX, where a CUDA Toolkit is: every instruction of the machine, and the line
// of PTX that it comes from.
#pragma once

#include <string>

#include "simtcc/translate/files.h"

namespace simt::cc {

// Lines to put behind the PTX, one for each kernel: "//assembled NAME REGISTERS", and for each
// instruction its code, whether it has a predicate, the line of PTX, and of a branch how many
// instructions further it leads, then its word of control_words.h: " 947p12+-40:a07". Nothing
// where there is no ptxas, or it refuses.
std::string assembled(const std::string& ptx, const std::string& ptxas,
                      const TemporaryFolder& folder);

}  // namespace simt::cc
