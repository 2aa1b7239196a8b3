// Where accesses of a block go, as far as its code tells.
#pragma once

#include <map>
#include <vector>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {

// An address: so many times each of what is not known, and a number of bytes, all modulo 2^64. Of
// no memory access nothing is unknown.
struct Place {
  std::map<uint64_t, uint64_t> unknown;
  uint64_t offset = 0;
};

inline bool writes(const Instruction& i) { return isAnyOf(i.op, {Op::st, Op::atom, Op::red}); }
// That each lane loads or stores.
inline unsigned bytesAt(const Instruction& i) { return bytesOf(i.type) * i.vector; }
// Of each instruction of the block.
std::vector<Place> placesIn(const BasicBlock& block);
bool haveSameUnknown(const Place& a, const Place& b);
// Whether two accesses of a block may touch the same bytes, for all that compilers see.
bool mayMeet(const Instruction& a, const Place& ofA, const Instruction& b, const Place& ofB);

}  // namespace estimate::gpu_code
