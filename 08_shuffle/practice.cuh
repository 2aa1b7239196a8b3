// The small exercises of lesson 08, in the order of its page. After each change:
//     cmake --build build --target 08_shuffle && build/cpu/08_shuffle --exercise 1
// Every kernel here gets n elements, and a grid of blocks that has a thread for each of them.
#pragma once

#include "cuda/kernel.h"

// 1. The sum of each warp's 32 elements in registers. Of its five steps the first is there.
__global__ void exercise1(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;
  sum += __shfl_down_sync(0xffffffff, sum, 16);
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = sum;
}

// 2. The largest element of each warp. The mask names all 32 lanes, and not all of them come.
__global__ void exercise2(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int largest = data[min(i, n - 1)];
  for (unsigned delta = 16; delta > 0; delta /= 2)
    if (threadIdx.x % 32 < delta)
      largest = max(largest, __shfl_down_sync(0xffffffff, largest, delta));
  if (threadIdx.x % 32 == 0 && i < n) results[i / 32] = largest;
}

// 3. How many shuffles does the kernel of "unroll 8 + shuffle" execute for a block of 512, one for
// each warp and instruction?
constexpr int exercise3 = 0;
