// Lesson 02: add pairs of neighbours, at stride 1, 2, 4, … until one sum is left in each block.
#pragma once

#include "cuda/kernel.h"

// In place, in global memory: each block reduces its own blockDim.x elements of data to the first
// of them and writes that sum to blockSums. The last block may have fewer elements.
//
// Look at: the condition. At stride 1 every second lane of every warp works, at stride 2 every
// fourth: no warp gets to rest before stride 32.
__global__ void neighbored(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const unsigned count = unsigned(min(n - first, size_t(blockDim.x)));  // elements of this block
  int* const block = data + first;

  for (unsigned stride = 1; stride < count; stride *= 2) {
    if (t + stride < count && t % (2 * stride) == 0) {
      block[t] += block[t + stride];
    }
    __syncthreads();  // reached by every thread, also those past the end
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}

// The same tree in shared memory: copy in, reduce, write one value. data stays as it was.
__global__ void neighboredShared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  block[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) {
      block[t] += block[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}
