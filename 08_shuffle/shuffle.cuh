// Lesson 08: registers instead of memory. The warp's own instructions, and the steps that lead to
// the kernel in single_pass.cuh.
#pragma once

#include "block_sum.cuh"
#include "cuda/kernel.h"
#include "vectors.cuh"

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

// Changed since unroll8Shuffle: a load fetches 16 bytes, an int4 of four elements, so two loads do
// what eight did. An int4 begins at a multiple of 16 bytes, where an array may neither begin nor
// end: the first block adds what is left over, at most three elements at each end.
//
// Look at: load requests, 32 per block instead of 128, for as many sectors.
__global__ void int4Loads(int* data, int* blockSums, size_t n) {
  const size_t before = min(n, (0 - reinterpret_cast<uintptr_t>(data)) % 16 / sizeof(int));
  const int4* const vectors = reinterpret_cast<const int4*>(data + before);
  const size_t count = (n - before) / 4, after = before + 4 * count, t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + t;
  const int4 none = {0, 0, 0, 0};
  const int4 a = i < count ? vectors[i] : none;
  const int4 b = i + blockDim.x < count ? vectors[i + blockDim.x] : none;
  int sum = (a.x + a.y + a.z + a.w) + (b.x + b.y + b.z + b.w);
  if (blockIdx.x == 0 && t < before) sum += data[t];
  if (blockIdx.x == 0 && t < n - after) sum += data[after + t];
  sum = blockSum(sum);
  if (t == 0) blockSums[blockIdx.x] = sum;
}

// Changed since int4Loads: each thread makes eight loads again, so a block of 512 takes 64 KiB
// instead of 16 and there are a quarter as many blocks to start. Four loads are in flight at a
// time, as eight would take so many registers that fewer blocks fit. The left-over elements, and
// the block that has them, are in vectors.cuh.
//
// Look at: blocks, and with them barriers and stores per 1,000 elements.
__global__ void vectorLoads(int* data, int* blockSums, size_t n) {
  const int sum = blockSum(tileSum<2, 4, int>(Vectors<int>(data, n)));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Changed since vectorLoads: no block sums are left for the host. Each block adds its own to the
// total, in 64 bits, and goes without waiting for an answer: an atomicAdd whose result nobody uses.
// *total must be 0 when the kernel begins, so a memset is launched before it.
//
// Look at: atomics, one per block, and the answer, now 8 bytes to fetch.
__global__ void atomicTotal(const int* data, size_t n, unsigned long long* total) {
  const long long sum = blockSum(tileSum<2, 4, long long>(Vectors<int>(data, n)));
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

// Changed since atomicTotal: one launch instead of two, as every launch clears the place where the
// next one will put its total. Small inputs take one round, or one load, so that many
// multiprocessors get some. The bounds hold the compiler to as many registers as let two blocks of
// 1,024 threads fit.
//
// Look at: a small input's answer.
template <unsigned rounds, unsigned loads>
__global__ void __launch_bounds__(1024, 2)
    atomicPerBlock(const int* data, size_t n, unsigned long long* total,
                   unsigned long long* nextTotal) {
  const long long sum = blockSum(tileSum<rounds, loads, long long>(Vectors<int>(data, n)));
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
