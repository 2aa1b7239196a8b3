// Lesson 03: the same pairs and the same sums as lesson 02, but other threads do the work.
#pragma once

#include "cuda/kernel.h"

// Changed since lesson 02: thread t no longer asks whether element t is its own. It takes the t-th
// pair, so the working threads are the first ones of the block and whole warps rest.
//
// Look at: load requests (one for each warp with a lane at work) fall; sectors (the memory those
// lanes touch) stay, because the pairs are where they were.
__global__ void neighboredLess(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const unsigned count = unsigned(min(n - first, size_t(blockDim.x)));  // elements of this block
  int* const block = data + first;

  for (unsigned stride = 1; stride < count; stride *= 2) {
    const unsigned i = 2 * stride * t;
    if (i + stride < count) {
      block[i] += block[i + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}

// In shared memory the same change makes bank conflicts: at stride 1, threads 0 and 16 read
// elements 0 and 32, which are in the same bank; at stride 2 four threads meet, and so on.
__global__ void neighboredLessShared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t global = size_t(blockIdx.x) * blockDim.x + t;

  block[t] = global < n ? data[global] : 0;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned i = 2 * stride * t;
    if (i < blockDim.x) {
      block[i] += block[i + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}
