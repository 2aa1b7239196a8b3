// A solution of lesson 05's exercise.
#pragma once

#include "cuda/kernel.h"

constexpr unsigned solutionElementsPerThread = 4;

// The four loads do not wait for each other: the sum begins when all are on their way.
__global__ void solution(int* data, int* sums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 4 + t;

  int x[4];
  for (unsigned k = 0; k < 4; ++k) x[k] = i + k * blockDim.x < n ? data[i + k * blockDim.x] : 0;
  partial[t] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) sums[blockIdx.x] = partial[0];
}
