// The small exercises of lesson 07, in the order of its page. After each change:
//     cmake --build build --target 07_complete_unroll && build/cpu/07_complete_unroll --exercise 1
#pragma once

#include "cuda/kernel.h"

// 1. How many load requests does completeUnroll, the kernel of the page, make for a block of 512?
constexpr int exercise1 = 0;

// Threads below stride add the element so far on to their own.
__device__ static void step(int* block, unsigned stride) {
  if (threadIdx.x < stride) block[threadIdx.x] += block[threadIdx.x + stride];
  __syncthreads();
}

// 2. The sum of each block, every step written out. One block size is forgotten: which?
template <unsigned blockSize>
__global__ void writtenOut(int* data, int* results, size_t n) {
  __shared__ int block[blockSize];
  const size_t i = size_t(blockIdx.x) * blockSize + threadIdx.x;
  block[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  if constexpr (blockSize >= 512) step(block, 256);
  if constexpr (blockSize >= 256) step(block, 128);
  if constexpr (blockSize >= 128) step(block, 64);
  for (unsigned stride = 32; stride > 0; stride /= 2) step(block, stride);
  if (threadIdx.x == 0) results[blockIdx.x] = block[0];
}
inline auto* exercise2(unsigned block) {
  return block == 128 ? writtenOut<128> : block == 512 ? writtenOut<512> : writtenOut<1024>;
}

// 3. The same for blocks of 64 and of 32, which must do less. In which steps? The compiler knows.
template <unsigned blockSize>
__global__ void lastSteps(int* data, int* results, size_t n) {
  __shared__ int block[64];
  const size_t i = size_t(blockIdx.x) * blockSize + threadIdx.x;
  block[threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  step(block, 32);
  step(block, 16);
  step(block, 8);
  step(block, 4);
  step(block, 2);
  step(block, 1);
  if (threadIdx.x == 0) results[blockIdx.x] = block[0];
}
inline auto* exercise3(unsigned block) { return block == 64 ? lastSteps<64> : lastSteps<32>; }
