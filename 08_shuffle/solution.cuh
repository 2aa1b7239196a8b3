// A solution of lesson 08's exercise: scans of 32 numbers, twice.
#pragma once

#include "cuda/kernel.h"

// Lane k gets the sum over lanes 0 to k. All lanes of the warp must call it.
__device__ inline int scanInWarp(int sum, unsigned lane) {
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const int below = __shfl_up_sync(0xffffffff, sum, delta);
    if (lane >= delta) sum += below;
  }
  return sum;
}

__global__ void solution(int* data, int* totals, size_t n) {
  __shared__ int warpSums[32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  const int sum = scanInWarp(i < n ? data[i] : 0, lane);
  if (lane == 31) warpSums[warp] = sum;  // the last lane has the sum of its warp
  __syncthreads();

  if (warp == 0) {
    const bool exists = lane < blockDim.x / 32;
    const int sums = scanInWarp(exists ? warpSums[lane] : 0, lane);
    if (exists) warpSums[lane] = sums;
  }
  __syncthreads();

  if (i < n) totals[i] = sum + (warp > 0 ? warpSums[warp - 1] : 0);
}
