// The small exercises of lesson 03, in the order of its page. After each change:
//     cmake --build build --target 03_neighbored_less && build/cpu/03_neighbored_less --exercise 1
// Every kernel here gets n elements, and a grid of blocks that has a thread for each of them.
#pragma once

#include "cuda/kernel.h"

// 1. The sums of neighbours: results[k] becomes data[2k] + data[2k + 1]. It is right, but every
// second thread works. Let the first half of each block do it: change the two lines that are
// marked.
__global__ void exercise1(int* data, int* results, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const unsigned mine = threadIdx.x;  // of the block's elements, the first of my pair
  const bool works = mine % 2 == 0;   // whether I have a pair
  const size_t i = first + mine;
  if (works && i + 1 < n) results[i / 2] = data[i] + data[i + 1];
}

// 2. How many load requests does neighboredLess, the kernel of the page, make for a block of 512?
constexpr int exercise2 = 0;

// 3. The same sums as in 1, by way of shared memory. At which place of it element i of the block is
// kept is yours to choose, so that no two lanes meet in a bank.
__device__ static unsigned place(unsigned i) { return i; }

__global__ void exercise3(int* data, int* results, size_t n) {
  __shared__ int block[1056];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  block[place(t)] = first + t < n ? data[first + t] : 0;
  __syncthreads();
  const unsigned mine = 2 * t;
  if (mine < blockDim.x && first + mine + 1 < n)
    results[(first + mine) / 2] = block[place(mine)] + block[place(mine + 1)];
}
