// Lesson 07: the block size is known to the compiler, and every step of the tree is written out.
#pragma once

#include "../06_unroll8_warp/add_in_warp.cuh"
#include "cuda/kernel.h"

// Changed since lesson 06: blockSize is a template parameter, so the loop over the strides is gone.
// Each block size gets a kernel of its own with only the steps that it needs, and the distances
// between elements are constants in its instructions.
//
// Look at: the counters do not move, for the memory accesses are those of lesson 06. What falls is
// the number of instructions, which a GPU's profiler counts and the executor does not.
template <unsigned blockSize>
__global__ void completeUnroll(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockSize * 8 + t;
  const size_t most = 8 * blockSize;
  const unsigned remaining = i < n ? unsigned(min(n - i, most)) : 0;  // elements from mine on
  int* const mine = remaining > 0 ? data + i : data;  // where nothing remains, not used

  int sum = 0;
  if (7 * blockSize < remaining) {
    for (unsigned k = 0; k < 8; ++k) sum += mine[k * blockSize];
  } else {
    for (unsigned k = 0; k < remaining; k += blockSize) sum += mine[k];
  }
  if (0 < remaining) mine[0] = sum;
  __syncthreads();

  if constexpr (blockSize >= 1024) {
    if (t < 512 && 512 < remaining) mine[0] += mine[512];
    __syncthreads();
  }
  if constexpr (blockSize >= 512) {
    if (t < 256 && 256 < remaining) mine[0] += mine[256];
    __syncthreads();
  }
  if constexpr (blockSize >= 256) {
    if (t < 128 && 128 < remaining) mine[0] += mine[128];
    __syncthreads();
  }
  if constexpr (blockSize >= 128) {
    if (t < 64 && 64 < remaining) mine[0] += mine[64];
    __syncthreads();
  }

  if (t < 32) {
    if constexpr (blockSize >= 64) addInWarp(mine, 32, remaining);
    addInWarp(mine, 16, remaining);
    addInWarp(mine, 8, remaining);
    addInWarp(mine, 4, remaining);
    addInWarp(mine, 2, remaining);
    addInWarp(mine, 1, remaining);
  }

  if (t == 0) blockSums[blockIdx.x] = mine[0];
}

// The block size is chosen at run time and a template argument is not: this picks the instance.
using BlockSumKernel = void (*)(int* data, int* blockSums, size_t n);
BlockSumKernel completeUnrollFor(unsigned block) {
  switch (block) {
    case 32: return completeUnroll<32>;
    case 64: return completeUnroll<64>;
    case 128: return completeUnroll<128>;
    case 256: return completeUnroll<256>;
    case 512: return completeUnroll<512>;
    case 1024: return completeUnroll<1024>;
    default: return nullptr;  // --block takes no other size
  }
}
