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

// Changed since unroll8Shuffle: a load fetches 16 bytes, four elements. Each thread still makes
// eight loads, so a block of 512 takes 64 KiB instead of 16; four are in flight at a time, as eight
// would take so many registers that fewer blocks fit. vectors.cuh looks after inputs that do not
// begin at a 16-byte boundary, or end at one.
//
// Look at: load requests per 1,000 elements, a quarter. Sectors per request, 16 instead of 4.
__global__ void vectorLoads(int* data, int* blockSums, size_t n) {
  const int sum = blockSum(tileSum<2, 4, int>(Vectors<int>(data, n)));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Changed since vectorLoads: no block sums are left for the host. Each block adds its own to the
// total, in 64 bits, and goes without waiting for an answer: an atomicAdd whose result nobody uses.
// *total must be 0 when the kernel begins. Somebody has to see to that, and a memset would be a
// launch of its own; so every launch clears the place where the next one will put its total. Small
// inputs take one round, or one load, so that many multiprocessors get some.
//
// Look at: atomics, one per block, and the answer, now 8 bytes to fetch.
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
