// Lesson 06's steps with the last warp's sums in registers, and in shared memory, to count and to
// time.
#pragma once

#include "add_in_warp.cuh"
#include "cuda/kernel.h"

// Changed since unroll8Warp: the last warp's lanes keep their own sums in registers, as the classic
// code does; and the block's sum is there at the end.
__global__ void unroll8WarpRegister(int* data, int* blockSums, size_t n) {
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
    sum = 0 < remaining ? mine[0] : 0;
    if (blockDim.x >= 64) addInRegister(sum, mine, 32, remaining);
    addInRegister(sum, mine, 16, remaining);
    addInRegister(sum, mine, 8, remaining);
    addInRegister(sum, mine, 4, remaining);
    addInRegister(sum, mine, 2, remaining);
    addInRegister(sum, mine, 1, remaining);
  }

  if (t == 0) blockSums[blockIdx.x] = sum;
}

// Changed since unroll8: the sum of eight goes to shared memory, and the tree stays there.
__global__ void unroll8Shared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + t;
  const size_t most = 8 * blockDim.x;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;
  const int* const mine = data + i;

  int sum = 0;
  if (7 * blockDim.x < remaining) {
    for (unsigned k = 0; k < 8; ++k) sum += mine[k * blockDim.x];
  } else {
    for (unsigned k = 0; k < remaining; k += blockDim.x) sum += mine[k];
  }
  block[t] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      block[t] += block[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = block[0];
}

// Changed since unroll8WarpRegister: the sum of eight goes to shared memory, and the tree stays
// there. This is the classic kernel, but for its last warp's barriers.
__global__ void unroll8WarpShared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + t;
  const size_t most = 8 * blockDim.x;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;
  const int* const mine = data + i;

  int sum = 0;
  if (7 * blockDim.x < remaining) {
    for (unsigned k = 0; k < 8; ++k) sum += mine[k * blockDim.x];
  } else {
    for (unsigned k = 0; k < remaining; k += blockDim.x) sum += mine[k];
  }
  block[t] = sum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) {
      block[t] = sum += block[t + stride];
    }
    __syncthreads();
  }

  if (t < 32) {
    const unsigned inBlock = blockDim.x - t;  // from block[t] on
    if (blockDim.x >= 64) addInRegister(sum, block + t, 32, inBlock);
    addInRegister(sum, block + t, 16, inBlock);
    addInRegister(sum, block + t, 8, inBlock);
    addInRegister(sum, block + t, 4, inBlock);
    addInRegister(sum, block + t, 2, inBlock);
    addInRegister(sum, block + t, 1, inBlock);
  }

  if (t == 0) blockSums[blockIdx.x] = sum;
}
