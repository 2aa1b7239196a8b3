// Lesson 05's step in shared memory, to count and to time.
#pragma once

#include "cuda/kernel.h"

// Changed since unroll2: the sum of two goes to shared memory, and the tree stays there.
__global__ void unroll2Shared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + t;

  int sum = i < n ? data[i] : 0;
  if (i + blockDim.x < n) {
    sum += data[i + blockDim.x];
  }
  block[t] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      block[t] += block[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}
