// Lesson 07's step in shared memory, to count and to time.
#pragma once

#include "../06_unroll8_warp/add_in_warp.cuh"
#include "cuda/kernel.h"

// Changed since completeUnroll: the tree is in shared memory, and each thread's own sum in a
// register.
template <unsigned blockSize>
__global__ void completeUnrollShared(int* data, int* blockSums, size_t n) {
  __shared__ int block[blockSize];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockSize * 8 + t;
  const size_t most = 8 * blockSize;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;
  const int* const mine = data + i;

  int sum = 0;
  if (7 * blockSize < remaining) {
    for (unsigned k = 0; k < 8; ++k) sum += mine[k * blockSize];
  } else {
    for (unsigned k = 0; k < remaining; k += blockSize) sum += mine[k];
  }
  block[t] = sum;
  __syncthreads();

  if constexpr (blockSize >= 1024) {
    if (t < 512) block[t] = sum += block[t + 512];
    __syncthreads();
  }
  if constexpr (blockSize >= 512) {
    if (t < 256) block[t] = sum += block[t + 256];
    __syncthreads();
  }
  if constexpr (blockSize >= 256) {
    if (t < 128) block[t] = sum += block[t + 128];
    __syncthreads();
  }
  if constexpr (blockSize >= 128) {
    if (t < 64) block[t] = sum += block[t + 64];
    __syncthreads();
  }

  if (t < 32) {
    const unsigned inBlock = blockSize - t;  // from block[t] on
    if constexpr (blockSize >= 64) addInRegister(sum, block + t, 32, inBlock);
    addInRegister(sum, block + t, 16, inBlock);
    addInRegister(sum, block + t, 8, inBlock);
    addInRegister(sum, block + t, 4, inBlock);
    addInRegister(sum, block + t, 2, inBlock);
    addInRegister(sum, block + t, 1, inBlock);
  }

  if (t == 0) blockSums[blockIdx.x] = sum;
}

// The block size is chosen at run time and a template argument is not: this picks the instance.
using BlockSumKernel = void (*)(int* data, int* blockSums, size_t n);
BlockSumKernel completeUnrollSharedFor(unsigned block) {
  switch (block) {
    case 32: return completeUnrollShared<32>;
    case 64: return completeUnrollShared<64>;
    case 128: return completeUnrollShared<128>;
    case 256: return completeUnrollShared<256>;
    case 512: return completeUnrollShared<512>;
    case 1024: return completeUnrollShared<1024>;
    default: return nullptr;  // --block takes no other size
  }
}
