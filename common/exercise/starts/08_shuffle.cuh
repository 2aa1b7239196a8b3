// Exercise of lesson 08: the running totals of every block. Result i is the sum of the elements
// from the first of its block to element i.
//
// Right, but the block meets at two barriers in each step, to pass numbers on that lie in another
// thread's register. Scan each warp by shuffles; then each warp needs one number more, the sum of
// the warps before it. Goals for a block of 512 threads, and likewise for those of 128,
// 256 and 1024:
//     at most 2 barriers;
//     at most 50 shared-memory requests, loads and stores together, and two words of it for each
//     warp: what a lane holds stays in its register;
//     at most 100 shuffles;
//     at most 16 load and 16 store requests to global memory;
//     at least 16 of the 32 lanes active per memory request, on average;
//     no warp loads more than 1.5 times its share of the elements, nor more than 512 numbers from
//     memory and other lanes together.
#pragma once

#include "cuda/kernel.h"

__global__ void exercise(int* data, int* totals, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const int before = t >= stride ? partial[t - stride] : 0;
    __syncthreads();
    partial[t] += before;
    __syncthreads();
  }

  if (i < n) totals[i] = partial[t];
}
