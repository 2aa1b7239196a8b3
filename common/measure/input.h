// The seeded input of lessons 01 to 08 and its reference sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

// n 32-bit integers from 0 to 255 and their sum in 64 bits. The same seed gives the same values at
// every n: a shorter input is the beginning of a longer one.
struct Input {
  std::unique_ptr<int[]> values;
  size_t n = 0;
  int64_t sum = 0;
};
Input makeInput(size_t n, uint64_t seed);
