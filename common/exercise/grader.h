// How an exercise is checked and graded. T is int or double.
#pragma once

#include "exercise/exercise.h"

#ifndef GPU_BACKEND
#include "simt/run/executor.h"
#endif

// What is checked: the extents of the exercise, or the n and the block that were asked for.
template <typename T>
std::vector<Extent> extentsOf(const Exercise<T>& exercise, std::optional<uint64_t> n = {},
                              std::optional<unsigned> block = {});

// The first mistake at these extents, or nothing; with all kinds of data. On the executor under
// this schedule, in reverse, and in three random orders, and then at an extent whose indices need
// more than 32 bits.
struct Trial {
  uint64_t seed = 1;  // of the data
#ifndef GPU_BACKEND
  simt::Settings executor = {};
#endif
};
template <typename T>
std::string firstMistake(const Exercise<T>& exercise, const std::vector<Extent>& extents,
                         const Trial& trial);

// Prints each goal and how far it is; the kernel is known to be right. Returns how many are met.
// Goals are to be met at the extents that are counted, and in some blocks by chance of grids of a
// length by chance. Throws Error where the kernel is wrong there, or works out of the executor's
// sight. For the executor's backend only.
uint64_t anyChance();
template <typename T>
size_t gradeGoals(const Exercise<T>& exercise, uint64_t chance = anyChance());

// What the kernel does at the first extent that is counted. Throws Error as above.
template <typename T>
Count countOf(const Exercise<T>& exercise);
