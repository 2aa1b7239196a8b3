// Lesson 08: registers instead of memory. The warp's own instructions, and the steps that lead to
// the kernel in single_pass.cuh.
#pragma once

#include "cuda/kernel.h"
#include "vectors.cuh"

constexpr unsigned allLanes = 0xffffffff;  // the lanes that take part, one bit each

// ---- The four shuffles. Every lane offers its number; received[lane] is the number it gets. With
// a width below 32 the warp falls into groups of that many lanes, and no lane reads beyond its own
// (xor may reach back into an earlier one). A lane whose source would lie beyond keeps its own
// value.

__global__ void shuffleIndex(int* received, int source, int width) {
  received[threadIdx.x] = __shfl_sync(allLanes, int(threadIdx.x), source, width);
}

__global__ void shuffleUp(int* received, unsigned delta, int width) {
  received[threadIdx.x] = __shfl_up_sync(allLanes, int(threadIdx.x), delta, width);
}

__global__ void shuffleDown(int* received, unsigned delta, int width) {
  received[threadIdx.x] = __shfl_down_sync(allLanes, int(threadIdx.x), delta, width);
}

__global__ void shuffleXor(int* received, int laneMask, int width) {
  received[threadIdx.x] = __shfl_xor_sync(allLanes, int(threadIdx.x), laneMask, width);
}

// Inclusive scan of a warp: lane k ends with the sum of lanes 0 to k, in five steps.
__global__ void warpScan(const int* values, int* sums) {
  const unsigned lane = threadIdx.x % 32;
  int sum = values[threadIdx.x];
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const int below = __shfl_up_sync(allLanes, sum, delta);
    if (lane >= delta) sum += below;
  }
  sums[threadIdx.x] = sum;
}

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

// ---- One sum for every 32 elements: a warp adds up a segment, through shared memory or by
// shuffle.

__global__ void segmentsShared(const int* data, int* sums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x, lane = t % 32;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  partial[t] = i < n ? data[i] : 0;
  __syncwarp();
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) partial[t] += partial[t + stride];
    __syncwarp();
  }
  if (lane == 0 && i < n) sums[i / 32] = partial[t];
}

__global__ void segmentsShuffle(const int* data, int* sums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int sum = warpSum(i < n ? data[i] : 0);
  if (threadIdx.x % 32 == 0 && i < n) sums[i / 32] = sum;
}

// ---- From lesson 07 to the final kernel, one change at a time.

// The sum over a block, in thread 0: by shuffles in each warp, one shared value per warp, and
// shuffles again in the first warp. One barrier, where the tree in memory had four; a second call
// needs another before it, as warpSums is the same.
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

// Changed since lesson 07: the tree is in registers. Nothing is written but the block's sum, and
// the input stays as it was.
//
// Look at: stores, 1 request per block instead of 37, and loads, 128 instead of 169.
__global__ void unroll8Shuffle(int* data, int* blockSums, size_t n) {
  const int sum = blockSum(eightElements(data, n));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Changed since unroll8Shuffle: __reduce_add_sync adds up a warp in one instruction, not in five
// shuffles and five additions.
__global__ void unroll8ReduceAdd(int* data, int* blockSums, size_t n) {
  const int sum = blockSumInstruction(eightElements(data, n));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// What a thread adds up of its block's tile: rounds of four 16-byte loads. The last tile belongs to
// the first block, together with the left-over elements. It is the one that may not be whole (with
// an unaligned array the one before it, too), and what takes longer begins before everything else.
template <unsigned rounds, typename Total>
__device__ Total tileSum(const Vectors<int>& vectors) {
  const unsigned tile = blockIdx.x > 0 ? blockIdx.x - 1 : gridDim.x - 1, round = 4 * blockDim.x;
  const size_t begin = size_t(tile) * rounds * round;
  const bool whole = begin + rounds * round <= vectors.count;
  Total sum = whole ? 0 : Total(vectors.leftBefore(0)) + vectors.leftAfter(0);
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    int4 v[4];
    vectors.load(v, begin + r * round + threadIdx.x, whole, 0);
    for (unsigned k = 0; k < 4; ++k) sum += (Total(v[k].x) + v[k].y) + (Total(v[k].z) + v[k].w);
  }
  return sum;
}

// Changed since unroll8Shuffle: a load fetches 16 bytes, four elements. Each thread still makes
// eight loads, so a block of 512 takes 64 KiB instead of 16; four are in flight at a time, as eight
// would take so many registers that fewer blocks fit. vectors.cuh looks after inputs that do not
// begin at a 16-byte boundary, or end at one.
//
// Look at: load requests per 1,000 elements, a quarter. Sectors per request, 16 instead of 4.
__global__ void vectorLoads(int* data, int* blockSums, size_t n) {
  const int sum = blockSum(tileSum<2, int>(Vectors<int>(data, n)));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Changed since vectorLoads: no block sums are left for the host. Each block adds its own to the
// total, in 64 bits, and goes without waiting for an answer: an atomicAdd whose result nobody uses.
// *total must be 0 when the kernel begins. Somebody has to see to that, and a memset would be a
// launch of its own; so every launch clears the place where the next one will put its total. Small
// inputs take one round, so that many multiprocessors get some.
//
// Look at: atomics, one per block, and the answer, now 8 bytes to fetch.
template <unsigned rounds>
__global__ void __launch_bounds__(512, 4)
    atomicPerBlock(const int* data, size_t n, unsigned long long* total,
                   unsigned long long* nextTotal) {
  const long long sum = blockSum(tileSum<rounds, long long>(Vectors<int>(data, n)));
  if (threadIdx.x == 0) atomicAdd(total, sum);
  if (threadIdx.x == 0 && blockIdx.x == 0) *nextTotal = 0;
}

// Changed since vectorLoads: only as many blocks as the GPU can run at once. A block goes on to its
// next round of the input instead of making room for another block (a grid-stride loop).
//
// Look at: blocks, and with them barriers and stores per 1,000 elements.
__global__ void gridStride(int* data, int* blockSums, size_t n) {
  const Vectors<int> vectors(data, n);
  const size_t round = 4 * blockDim.x;
  int sum = vectors.leftBefore(0) + vectors.leftAfter(0);
  for (size_t begin = blockIdx.x * round; begin < vectors.count; begin += gridDim.x * round) {
    int4 v[4];
    vectors.load(v, begin + threadIdx.x, begin + round <= vectors.count, 0);
    for (unsigned k = 0; k < 4; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  sum = blockSum(sum);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}
