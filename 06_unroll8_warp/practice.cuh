// The small exercises of lesson 06, in the order of its page. After each change:
//     cmake --build build --target 06_unroll8_warp && build/cpu/06_unroll8_warp --exercise 1
#pragma once

#include "cuda/kernel.h"

// 1. How many barriers of a block of 512 are left in unroll 8 + warp?
constexpr int exercise1 = 0;

// 2. Each thread adds up eight elements, a block apart, or as many as there are. Textbook code does
// nothing where the eighth is missing. Mend that.
__global__ void exercise2(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 8 * blockDim.x + t;
  int sum = 0;
  if (i + 7 * blockDim.x < n) {
    for (unsigned k = 0; k < 8; ++k) sum += data[i + k * blockDim.x];
  }
  if (i < n) results[blockIdx.x * size_t(blockDim.x) + t] = sum;
}

// 3. The sum of each warp's 32 elements, results[0] of the first warp of the grid, and so on. It
// works where a warp runs in lock-step, which nothing promises. It needs no barrier of the block.
__global__ void exercise3(int* data, int* results, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x, lane = t % 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  for (unsigned stride = 16; stride > 0; stride /= 2)
    if (lane < stride) block[t] += block[t + stride];
  if (lane == 0 && i < n) results[i / 32] = block[t];
}
