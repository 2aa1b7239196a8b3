// What a warp does with small matrices: wmma, mma, ldmatrix, stmatrix.
#pragma once

#include <string_view>
#include <vector>

#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

// What a fragment's load or store becomes on a card, a request each: from shared memory a factor of
// 16 bits or less comes in vectors of 16 bytes (LDSM), all else a register at a time, or two where
// two neighbours are one lane's. Each has its number in combine and the bytes of a lane in vector.
// Any other instruction is returned as it is.
std::vector<Instruction> requestsOfFragment(Instruction instruction);
// Of the lanes those that say where rows are, eight for each register, where rows come so.
uint32_t lanesThatAsk(const Instruction& instruction, uint32_t lanes);
Handler matrixHandler(const Instruction& instruction);
bool multipliesMatrices(const Instruction& instruction);
bool storesMatrix(const Instruction& instruction);
// Instructions of the machine, how long they keep the unit for doubles and tensor cores busy, and
// their result takes, as measured on an H200.
Cost costOfProduct(const Instruction& instruction);

}  // namespace estimate::gpu_code
