// Exercise of lesson 02: the range of every block, its largest element minus its smallest.
//
// Right, but one thread does it all and the others watch. Make it a tree of neighbours in shared
// memory, for the largest and the smallest at once. Any n must stay right: what does a thread past
// the end put into the tree? Goals for a full block of 512 threads, and likewise for those of
// 128, 256 and 1024, wherever in a grid of any length:
//     at most 16 load requests from global memory: each element is loaded once;
//     at least 6 of the 32 lanes active per memory request, on average;
//     no thread loads more than 128 numbers, from global and shared memory together;
//     at most 10 barriers, and no atomics;
//     no warp loads more than 1.5 times its share of the elements.
#pragma once

#include "cuda/kernel.h"

__global__ void exercise(int* data, int* ranges, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const size_t end = min(n, first + blockDim.x);

  if (threadIdx.x == 0) {
    int largest = data[first], smallest = largest;
    for (size_t i = first + 1; i < end; ++i) {
      const int element = data[i];
      largest = max(largest, element);
      smallest = min(smallest, element);
    }
    ranges[blockIdx.x] = largest - smallest;
  }
}
