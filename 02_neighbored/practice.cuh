// The small exercises of lesson 02, in the order of its page. After each change:
//     cmake --build build --target 02_neighbored && build/cpu/02_neighbored --exercise 1
// Every kernel here gets n elements, and a grid of blocks that has a thread for each of them.
#pragma once

#include "cuda/kernel.h"

// 1. Each thread doubles one element: results[i] becomes 2 * data[i], for every i below n.
__global__ void exercise1(int* data, int* results, size_t n) {
  // Which element is mine? Is there one?
}

// 2. First all elements are doubled. Then each thread fetches its right neighbour's, and the last
// of a block gets 0. Something is missing between the two.
__global__ void exercise2(int* data, int* results, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] *= 2;
    const bool isLast = threadIdx.x == blockDim.x - 1 || i == n - 1;
    results[i] = isLast ? 0 : data[i + 1];
  }
}

// 3. A block of 512 threads adds up pairs of neighbours, as in the page's picture. At each of the
// strides 1, 2, 4 … 256 each of its 16 warps has a turn. In how many turns do some lanes of the
// warp work and some not?
constexpr int exercise3 = 0;
