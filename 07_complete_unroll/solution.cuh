// A solution of lesson 07's exercise.
#pragma once

#include "cuda/kernel.h"

// The first warp's steps. Only the lanes whose value is still needed take part, so no lane stores
// what another one reads in the same step.
__device__ inline void xorInWarp(int* partial, unsigned lane, unsigned stride) {
  if (lane < stride) partial[lane] ^= partial[lane + stride];
  __syncwarp();
}

template <unsigned blockSize>
__global__ void solution(int* data, int* checksums, size_t n) {
  __shared__ int partial[blockSize];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockSize + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  if constexpr (blockSize >= 1024) {
    if (t < 512) partial[t] ^= partial[t + 512];
    __syncthreads();
  }
  if constexpr (blockSize >= 512) {
    if (t < 256) partial[t] ^= partial[t + 256];
    __syncthreads();
  }
  if constexpr (blockSize >= 256) {
    if (t < 128) partial[t] ^= partial[t + 128];
    __syncthreads();
  }
  if constexpr (blockSize >= 128) {
    if (t < 64) partial[t] ^= partial[t + 64];
    __syncthreads();
  }

  if (t < 32) {
    if constexpr (blockSize >= 64) xorInWarp(partial, t, 32);
    xorInWarp(partial, t, 16);
    xorInWarp(partial, t, 8);
    xorInWarp(partial, t, 4);
    xorInWarp(partial, t, 2);
    xorInWarp(partial, t, 1);
  }

  if (t == 0) checksums[blockIdx.x] = partial[0];
}

using BlockSumKernel = void (*)(int* data, int* checksums, size_t n);
inline BlockSumKernel solutionFor(unsigned block) {
  switch (block) {
    case 32: return solution<32>;
    case 64: return solution<64>;
    case 128: return solution<128>;
    case 256: return solution<256>;
    case 512: return solution<512>;
    case 1024: return solution<1024>;
    default: return nullptr;
  }
}
