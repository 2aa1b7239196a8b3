// The frozen set, which the timing model is judged by, and the development set, which it is made
// better with.
#pragma once

#include <memory>
#include <vector>

#include "measure/measure.h"

struct LaunchSet {
  std::shared_ptr<void> arrays;  // of all launches
  std::vector<Task> tasks;
};

// Arrays of n elements of 4 bytes each: a power of two from 2^13 on. Without floats, launches can
// be looked at but have no results.
using MakeSet = LaunchSet(size_t n, bool withFloats);
MakeSet frozenSet, developmentSet;
