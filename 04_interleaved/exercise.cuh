// Exercise of lesson 04: the sum of each channel of an image. The data are pixels of four channels,
// red green blue alpha red green blue alpha …, and every block leaves four sums of its own
// elements.
//
// Right, but as in lesson 03: a thread takes the four channels of its pixel, and neighbouring
// pixels are added. Which pairs of elements are of the same channel, and let neighbouring lanes
// touch neighbouring elements? Goals for a block of 512 threads, and likewise for those of 128, 256
// and 1024:
//     at most 16 load requests from global memory, and 126 sectors per 1,000 elements;
//     no bank conflict in loads or stores;
//     at most 40 load requests from shared memory;
//     at least 5 of the 32 lanes active per memory request, on average;
//     no thread loads more than 64 numbers, from global and shared memory together;
//     no warp loads more than 4 times its share of the elements.
#pragma once

#include "cuda/kernel.h"

__global__ void exercise(int* data, int* sums, size_t n) {
  __shared__ int channels[4][256];
  const unsigned t = threadIdx.x, pixels = blockDim.x / 4;
  const size_t i = size_t(blockIdx.x) * blockDim.x + 4 * t;

  if (t < pixels) {
    for (unsigned c = 0; c < 4; ++c) channels[c][t] = i + c < n ? data[i + c] : 0;
  }
  __syncthreads();

  for (unsigned stride = 1; stride < pixels; stride *= 2) {
    const unsigned k = 2 * stride * t;
    if (k < pixels) {
      for (unsigned c = 0; c < 4; ++c) channels[c][k] += channels[c][k + stride];
    }
    __syncthreads();
  }

  if (t < 4) sums[4 * blockIdx.x + t] = channels[t][0];
}
