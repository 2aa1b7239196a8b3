// What kernels that tests get wrong on purpose are made of.
#pragma once

#include "cuda/kernel.h"

// One thread adds up the elements of its block, from this one of them on.
__device__ inline void addUpByOneThread(int* data, int* blockSums, size_t n, size_t from) {
  if (threadIdx.x > 0) return;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  int sum = 0;
  for (size_t i = first + from; i < min(n, first + blockDim.x); ++i) sum += data[i];
  blockSums[blockIdx.x] = sum;
}
