// The small exercises of lesson 05, in the order of its page. After each change:
//     cmake --build build --target 05_unroll2 && build/cpu/05_unroll2 --exercise 1
#pragma once

#include "cuda/kernel.h"

// 1. A block has two data blocks: n elements have a grid of blocks with a thread for every two.
// Each thread that has an element adds to it its element of the second data block, where there is
// one. Both places that are marked with a question are wrong.
__global__ void exercise1(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;  // my element of the first: where?
  if (i < n) {
    int sum = data[i];  // and of the second?
    results[blockIdx.x * size_t(blockDim.x) + t] = sum;
  }
}

// 2. A thread adds up four elements, a block apart; n is such that all are there. Each load waits
// until the sum before it is stored: for all a compiler knows, *sum could be one of the elements.
// Put four loads on their way before the first store.
__global__ void exercise2(int* data, int* results, size_t n) {
  const int* const mine = data + size_t(blockIdx.x) * 4 * blockDim.x + threadIdx.x;
  int* const sum = results + blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  *sum = mine[0];
  *sum += mine[blockDim.x];
  *sum += mine[2 * blockDim.x];
  *sum += mine[3 * blockDim.x];
}

// 3. How many load requests does unroll2, the kernel of the page, make for a block of 512?
constexpr int exercise3 = 0;
