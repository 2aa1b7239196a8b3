// A solution of lesson 04's exercise.
#pragma once

#include "cuda/kernel.h"

// Elements that are a multiple of four apart are of the same channel. So is every pair of lesson
// 04's tree down to stride 4; what it leaves in the first four elements are the sums.
__global__ void solution(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  block[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride >= 4; stride /= 2) {
    if (t < stride) {
      block[t] += block[t + stride];
    }
    __syncthreads();
  }

  if (t < 4) sums[4 * blockIdx.x + t] = block[t];
}
