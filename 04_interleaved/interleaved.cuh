// Lesson 04: the pair is half a block apart, so neighbouring threads touch neighbouring elements.
#pragma once

#include "cuda/kernel.h"

// Changed since lesson 03: the stride starts at half the block and halves, and thread t adds
// element t + stride to element t. The threads at work are the same ones as before.
//
// Look at: load sectors. A warp's 32 lanes now read 32 elements in a row, four full sectors.
__global__ void interleaved(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const unsigned remaining =
      i < n ? unsigned(min(n - i, size_t(blockDim.x))) : 0;  // elements from data[i] on

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && stride < remaining) {
      data[i] += data[i + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = data[i];
}

// In shared memory: 32 lanes, 32 elements in a row, 32 banks. No conflict at any stride.
__global__ void interleavedShared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  block[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      block[t] += block[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}
