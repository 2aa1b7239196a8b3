// Exercise of lesson 06: the largest element of every block.
//
// Right, but a block waits ten times for 512 elements. Give each thread eight elements, as in the
// lesson. Then turn the tree round: let each warp begin with its own 32 values, which no other warp
// needs, and let one warp finish what the warps leave. Goals with 512 threads, and
// with 128, 256 and 1024 as many as they need:
//     at most 1 barrier per block;
//     at most 80 shared-memory requests per 1,000 elements, loads and stores together;
//     at most 32 load requests and 126 load sectors per 1,000 elements from global memory;
//     at least 16 of the 32 lanes active per memory request, on average;
//     eight loads of a thread under way at a time: none waits for the one before;
//     no warp loads more than 1.5 times its share, and no block more than eight elements a thread;
//     and no race: what must lie between a lane's store and another lane's load?
#pragma once

#include <climits>

#include "cuda/kernel.h"

// The grid has as many blocks as n elements need, each with elementsPerThread × blockDim.x of them.
constexpr unsigned exerciseElementsPerThread = 1;

__global__ void exercise(int* data, int* maxima, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : INT_MIN;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] = max(partial[t], partial[t + stride]);
    }
    __syncthreads();
  }

  if (t == 0) maxima[blockIdx.x] = partial[0];
}
