// What recorded_times_test.cpp launches, by itself: a GPU compiler makes code of it, too.
#pragma once

#include "cuda/kernel.h"

// Lesson 02's exercise as it came, and a solution, of which times are recorded.
namespace asItCame {
#include "starts/02_neighbored.cuh"
}
namespace solved {
#include "../../02_neighbored/solution.cuh"
}

__global__ void rangeByWarps(int* data, int* ranges, size_t n) {
  __shared__ int values[1024];
  const unsigned t = threadIdx.x;
  values[t] = data[min(size_t(blockIdx.x) * blockDim.x + t, n - 1)];
  __syncthreads();
  if (t >= 32) return;
  int largest = values[t], smallest = largest;
  for (unsigned i = t + 32; i < blockDim.x; i += 32) {
    largest = max(largest, values[i]);
    smallest = min(smallest, values[i]);
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    largest = max(largest, __shfl_xor_sync(0xffffffff, largest, delta));
    smallest = min(smallest, __shfl_xor_sync(0xffffffff, smallest, delta));
  }
  if (t == 0) ranges[blockIdx.x] = largest - smallest;
}
