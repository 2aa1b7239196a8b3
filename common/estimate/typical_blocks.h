// Which of the blocks that were looked at stand for those of a multiprocessor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "estimate/warp_program.h"

namespace estimate {

// Blocks beside one another that are looked at, and that a large grid has at each end.
inline constexpr uint64_t neighbours = 4;

inline bool isAtEnd(const Block& block, uint64_t blocks) {
  return block.number < neighbours || block.number + neighbours >= blocks;
}

// Of its warps.
double instructionsOf(const Warp& warp);
double instructionsOf(const Block& block);
// Whether so many values, by their sum and that of their squares, vary much about their mean.
bool varyMuch(double sum, double squares, double count);
// Whether blocks that were sampled inside the grid differ much in how many instructions they have.
bool areUneven(const Launch& launch);

// Of launch.sampled, which has to live as long: the middle of every run of neighbours (where blocks
// are uneven and all were looked at, all of them), without the grid's last block where there are
// others, and without ends that have less to do than the rest.
std::vector<const Block*> typicalBlocks(const Launch& launch);

// A multiprocessor's blocks in their order, count of them: typical ones, every step-th from one on,
// and the grid's last at the end, where there is none that has as many others.
std::vector<const Block*> sequence(const Launch& launch, const std::vector<const Block*>& typical,
                                   const Block* last, size_t count, size_t from, size_t step,
                                   double multiprocessors);

// That a block's stores and atomics write to memory.
double writtenBytes(const Block& block);

// How many blocks the multiprocessor gets that gets most, of a grid that has more than are resident
// but not twice as many, by when those end that are resident at first: who first has one that has
// ended gets the next, and not all are equally fast. On an H200 multiprocessors whose blocks end
// one after the other, as they share what they compute with, get one more each. Where a
// multiprocessor's blocks end together, as those do that wait for loads, some get as many again: of
// 132 more, 24 of them had all, and 3 had 8.
size_t mostOfOne(const std::vector<double>& ends, size_t resident, size_t multiprocessors,
                 uint64_t blocks);

}  // namespace estimate
