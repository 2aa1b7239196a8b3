// A solution of lesson 06's exercise: warps first, so that one block barrier is enough.
#pragma once

#include <climits>

#include "cuda/kernel.h"

constexpr unsigned solutionElementsPerThread = 8;

// Leaves the largest of a warp's 32 values in the first of them. Every lane takes part, and none
// reaches beyond the warp. The first __syncwarp() shows a lane what the others stored, the second
// lets all read before one of them stores.
__device__ inline void largestInWarp(int* values, unsigned lane) {
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    const int other = values[lane ^ stride];
    __syncwarp();
    values[lane] = max(values[lane], other);
  }
}

__global__ void solution(int* data, int* maxima, size_t n) {
  __shared__ int partial[1024];
  __shared__ int warpMaxima[32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + t;

  int v[8], largest = INT_MIN;
  for (unsigned k = 0; k < 8; ++k)
    v[k] = i + k * blockDim.x < n ? data[i + k * blockDim.x] : INT_MIN;
  for (unsigned k = 0; k < 8; ++k) largest = max(largest, v[k]);

  partial[t] = largest;
  largestInWarp(partial + 32 * warp, lane);
  if (lane == 0) warpMaxima[warp] = partial[t];
  __syncthreads();

  if (warp == 0) {
    partial[lane] = lane < blockDim.x / 32 ? warpMaxima[lane] : INT_MIN;
    largestInWarp(partial, lane);
    if (lane == 0) maxima[blockIdx.x] = partial[0];
  }
}
