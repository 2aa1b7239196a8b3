// The small exercises of lesson 09, in the order of its page. After each change:
//     cmake --build build --target 09_mean_matvec && build/cpu/09_mean_matvec --exercise 1
#pragma once

#include <climits>

#include "cuda/kernel.h"

// 1. The sums of rows of 64 elements, of which the last may be shorter: a warp for each. A lane
// adds up two neighbours, so a request moves twice as many sectors as its loads fill. Hand the
// elements out otherwise.
__global__ void exercise1(int* data, int* results, size_t n) {
  const unsigned lane = threadIdx.x % 32;
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const size_t i = 64 * row + 2 * lane;
  int sum = 0;
  if (i < n) sum += data[i];
  if (i + 1 < n) sum += data[i + 1];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (lane == 0 && 64 * row < n) results[row] = sum;
}

// 2. How many barriers does version 3 take for L = 33 rows and one entry?
constexpr int exercise2 = 0;

// 3. The place of the smallest of each warp's 32 elements, and of equal ones the first. It often
// finds another of the equal ones.
__global__ void exercise3(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int smallest = i < n ? data[i] : INT_MAX, place = int(i);
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const int other = __shfl_down_sync(0xffffffff, smallest, delta);
    const int otherPlace = __shfl_down_sync(0xffffffff, place, delta);
    if (other <= smallest) {
      smallest = other;
      place = otherPlace;
    }
  }
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = place;
}
