// Lesson 06: eight data blocks per block; then the last warp's steps without block barriers.
#pragma once

#include "add_in_warp.cuh"
#include "cuda/kernel.h"

// Changed since lesson 05: each thread first adds up eight elements, one from each of the block's
// eight data blocks, in a register. No load waits for another one, so all eight are in flight at
// once; one store follows. Where the input ends, a thread adds those that it has, one by one.
//
// Look at: load requests, and think per element. The 128 with all lanes at work now outnumber the
// tree's 41 by three to one; in lesson 04 there was nothing but the tree.
__global__ void unroll8(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + t;
  const size_t most = 8 * blockDim.x;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;  // elements from mine on
  int* const mine = remaining > 0 ? data + i : data;  // where nothing remains, not used

  int sum = 0;
  if (7 * blockDim.x < remaining) {
    for (unsigned k = 0; k < 8; ++k) sum += mine[k * blockDim.x];  // the compiler unrolls this
  } else {
    for (unsigned k = 0; k < remaining; k += blockDim.x) sum += mine[k];
  }
  if (0 < remaining) mine[0] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && stride < remaining) {
      mine[0] += mine[stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = mine[0];
}

// Changed since unroll8: the loop over the strides ends at 64. The last six steps are written out,
// and only the first warp does them; the others are done.
//
// Look at: barriers, 4 instead of 10 per block of 512. Requests stay; sectors rise a little, since
// all 32 lanes go on to the end.
__global__ void unroll8Warp(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + t;
  const size_t most = 8 * blockDim.x;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;
  int* const mine = remaining > 0 ? data + i : data;

  int sum = 0;
  if (7 * blockDim.x < remaining) {
    for (unsigned k = 0; k < 8; ++k) sum += mine[k * blockDim.x];
  } else {
    for (unsigned k = 0; k < remaining; k += blockDim.x) sum += mine[k];
  }
  if (0 < remaining) mine[0] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride && stride < remaining) {
      mine[0] += mine[stride];
    }
    __syncthreads();
  }

  if (t < 32) {
    if (blockDim.x >= 64) addInWarp(mine, 32, remaining);
    addInWarp(mine, 16, remaining);
    addInWarp(mine, 8, remaining);
    addInWarp(mine, 4, remaining);
    addInWarp(mine, 2, remaining);
    addInWarp(mine, 1, remaining);
  }

  if (t == 0) blockSums[blockIdx.x] = mine[0];
}
