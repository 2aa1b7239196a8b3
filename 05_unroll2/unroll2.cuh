// Lesson 05: each block takes two data blocks, so that every thread adds before half of them stop.
#pragma once

#include "cuda/kernel.h"

// Changed since lesson 04: half as many blocks. Each first adds its second data block onto its
// first, and then does the tree of lesson 04 on that.
//
// Look at: load requests, and think per element. A block makes 73 where it made 41, but for twice
// the elements, and in the 32 new ones no lane is idle. Barriers: 10 instead of two times 9.
__global__ void unroll2(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + t;
  const size_t most = 2 * blockDim.x;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;  // elements from mine on
  int* const mine = remaining > 0 ? data + i : data;  // where nothing remains, not used

  if (blockDim.x < remaining) {
    mine[0] += mine[blockDim.x];
  }
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && stride < remaining) {
      mine[0] += mine[stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = mine[0];
}
