// Lesson 08: what its kernels are made of: the sum of a warp and of a block by shuffles, and a
// thread's eight elements.
#pragma once

#include "cuda/kernel.h"

constexpr unsigned allLanes = 0xffffffff;  // the lanes that take part, one bit each

// The sum over a warp, in lane 0; the other lanes hold partial sums that nobody needs. No memory,
// no barrier: a shuffle waits for the lanes in its mask by itself.
template <typename T>
__device__ T warpSum(T sum) {
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(allLanes, sum, delta);
  return sum;
}

// The same in one instruction (Ampere and later; 32-bit integers only), in every lane.
__device__ inline int warpSumInstruction(int sum) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return warpSum(sum);
#else
  return __reduce_add_sync(allLanes, sum);
#endif
}

// The sum over a block of whole warps, in thread 0: by shuffles in each warp, one shared value per
// warp, and shuffles again in the first warp. One barrier, where the tree in memory had four; a
// second call needs another before it, as warpSums is the same.
template <typename T>
__device__ T blockSum(T sum) {
  __shared__ T warpSums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warpSum(sum);
  if (lane == 0) warpSums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warpSum(lane < blockDim.x / 32 ? warpSums[lane] : T(0));
  return sum;
}

__device__ inline int blockSumInstruction(int sum) {
  __shared__ int warpSums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warpSumInstruction(sum);
  if (lane == 0) warpSums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warpSumInstruction(lane < blockDim.x / 32 ? warpSums[lane] : 0);
  return sum;
}

// A thread's eight elements as in lessons 06 and 07, one from each of the block's data blocks.
__device__ inline int eightElements(const int* data, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x * 8 + threadIdx.x;
  const size_t end = min(n, (size_t(blockIdx.x) + 1) * blockDim.x * 8);
  int sum = 0;
  if (i + 7 * blockDim.x < n) {
    for (unsigned k = 0; k < 8; ++k) sum += data[i + k * blockDim.x];
  } else {
    for (size_t k = i; k < end; k += blockDim.x) sum += data[k];
  }
  return sum;
}
