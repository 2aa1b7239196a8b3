// Where accesses of a block go, as far as its code tells, and what keeps its place among them.
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
// What keeps its place among its like, as lanes meet there.
inline bool meetsOthers(const Instruction& i) {
  return i.op == Op::bar || i.op == Op::shfl || i.op == Op::vote || i.op == Op::redux ||
         i.op == Op::match || i.op == Op::activemask || i.op == Op::wmma || i.op == Op::mma ||
         i.op == Op::call || i.op == Op::trap;
}
// Functions of mathematics touch no memory but what they are called with.
inline bool isPureCall(const Instruction& i) { return i.op == Op::call && isMathematics(i.name); }
inline bool ordersMemory(const Instruction& i) {
  return (i.op == Op::bar) || i.op == Op::fence || i.op == Op::call || i.op == Op::cp ||
         i.op == Op::wmma || i.isVolatile || i.op == Op::nanosleep;
}
// That each lane loads or stores.
inline unsigned bytesAt(const Instruction& i) { return bytesOf(i.type) * i.vector; }
// Of each instruction of the block.
std::vector<Place> placesIn(const BasicBlock& block);
bool haveSameUnknown(const Place& a, const Place& b);
// Whether two accesses of a block may touch the same bytes, for all that compilers see.
bool mayMeet(const Instruction& a, const Place& ofA, const Instruction& b, const Place& ofB);

}  // namespace estimate::gpu_code
