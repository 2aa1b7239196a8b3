// The small exercises of lesson 01, in the order of its page. After each change:
//     cmake --build build --target 01_cpu_baseline && build/cpu/01_cpu_baseline --exercise 1
#pragma once

#include "cpu_baseline.h"

// 1. The tree: the upper half is added onto the lower half, until one element is left. It loses an
// element of most arrays. Of which?
inline int exercise1(int* data, size_t n) {
  while (n > 1) {
    const size_t half = n / 2;
    for (size_t i = 0; i < half; ++i) data[i] += data[i + half];
    n = half;
  }
  return n == 0 ? 0 : data[0];
}

// 2. The tree adds up 1,000 elements. How many rounds does it make, one after the other?
constexpr int exercise2 = 0;

// 3. One sum: each addition waits for the one before. Keep four sums, and add them up at the end.
// (The compiler may not do it for you here.)
SERIAL inline int64_t exercise3(const int* data, size_t n) {
  int64_t sum = 0;
  SERIAL_LOOP
  for (size_t i = 0; i < n; ++i) sum += data[i];
  return sum;
}
