// A solution of lesson 02's exercise: two trees that share their barriers.
#pragma once

#include "cuda/kernel.h"

// Past the end, a thread takes the last element once more: that changes neither the largest nor the
// smallest, while a 0 might.
__global__ void solution(int* data, int* ranges, size_t n) {
  __shared__ int largest[1024];
  __shared__ int smallest[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  const int element = data[min(i, n - 1)];
  largest[t] = element;
  smallest[t] = element;
  __syncthreads();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0) {
      largest[t] = max(largest[t], largest[t + stride]);
      smallest[t] = min(smallest[t], smallest[t + stride]);
    }
    __syncthreads();
  }

  if (t == 0) ranges[blockIdx.x] = largest[0] - smallest[0];
}
