// Exercise of lesson 03: the sum of every four neighbours, n / 4 sums rounded up.
//
// Right, but every fourth thread does the work, as in lesson 02, and each of its loads finds the
// neighbours of other lanes' elements in its sectors. Let the first threads of the block do the
// work, and load each element once, 32 lanes 32 elements in a row. Goals for a block of 512
// threads, and likewise for those of 128, 256 and 1024:
//     at most 16 load requests and 64 load sectors from global memory;
//     at most 4 store requests;
//     no bank conflict in loads from shared memory;
//     at least 24 of the 32 lanes active per memory request, on average;
//     no warp loads more than 4 times its share of the elements, nor more than 192 numbers, from
//     global and shared memory together: the adding is shared, too.
#pragma once

#include "cuda/kernel.h"

__global__ void exercise(int* data, int* sums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;

  if (i % 4 == 0 && i < n) {
    int sum = 0;
    for (size_t k = i; k < min(i + 4, n); ++k) sum += data[k];
    sums[i / 4] = sum;
  }
}
