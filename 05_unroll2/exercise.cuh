// Exercise of lesson 05: the sum of the squares of every block's elements.
//
// Right, but half of the threads are done after one element. Give each thread four, from four data
// blocks of its block, and count the blocks of the grid accordingly. Goals with 512 threads, and
// with 128, 256 and 1024 as many as they need:
//     at most 5 barriers per 1,000 elements;
//     at most 40 shared-memory requests per 1,000 elements, loads and stores together;
//     at most 32 load requests and 126 load sectors per 1,000 elements from global memory;
//     at least 16 of the 32 lanes active per memory request, on average;
//     four loads of a thread under way at a time: none waits for the one before;
//     no warp loads more than 1.5 times its share, and no block more than four elements a thread.
#pragma once

#include "cuda/kernel.h"

// The grid has as many blocks as n elements need, each with elementsPerThread × blockDim.x of them.
constexpr unsigned exerciseElementsPerThread = 1;

__global__ void exercise(int* data, int* sums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  const int x = i < n ? data[i] : 0;
  partial[t] = x * x;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) sums[blockIdx.x] = partial[0];
}
