// The small exercises of lesson 04, in the order of its page. After each change:
//     cmake --build build --target 04_interleaved && build/cpu/04_interleaved --exercise 1
// Every kernel here gets n elements, and a grid of blocks that has a thread for each of them.
#pragma once

#include "cuda/kernel.h"

// 1. The first step of this lesson's tree: each thread of a block's lower half adds the element
// half a block further on, where there is one, to its own. The line that adds is missing.
__global__ void exercise1(int* data, int* results, size_t n) {
  const unsigned t = threadIdx.x, half = blockDim.x / 2;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  if (t < half && i < n) {
    int sum = data[i];
    results[blockIdx.x * size_t(half) + t] = sum;
  }
}

// 2. How many load sectors does interleaved, the kernel of the page, move for a block of 512?
constexpr int exercise2 = 0;

// 3. The sum of each block, with the tree in shared memory. Something is wrong with it: what does
// the executor say?
__global__ void exercise3(int* data, int* results, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t + stride < blockDim.x) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) results[blockIdx.x] = block[0];
}
