// Why a result of an exercise is wrong: which elements do not count in it as they should.
#pragma once

#include <string>

#include "exercise/exercise.h"

// Runs the kernel on data that are 0 but for some elements, which are 1, and compares what these do
// to the result with what they should: " Its elements are 0 to 63 (block 0). Missing: 60 to 63."
// What half a second has shown is all that is told. T is int or double.
template <typename T>
std::string misusedElements(const Exercise<T>& exercise, Extent extent, size_t result);
