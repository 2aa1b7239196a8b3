// Eight classic mistakes, each followed by its mended twin. Most of them give the right sum on most
// days, which is why they live long. Blocks are of 64 to 1024 threads, a power of two. In one file,
// as a gallery to walk through from the first to the last: 06_unroll8_warp/README.md shows its
// lines.
#pragma once

#include "cuda/kernel.h"

// ---- 1. A warp that is trusted to run in lock-step

// The last six steps without a barrier, as the classic texts have it. volatile keeps the compiler
// from holding values in registers; it does not make a lane wait for another. GPUs before Volta ran
// a warp in lock-step and later ones mostly do, so the sum is mostly right. The executor reports a
// race on partial: two lanes of one warp, with no __syncwarp between.
__global__ void volatileUnroll(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t < 32) {
    volatile int* const mine = partial + t;
    mine[0] = mine[0] + mine[32];
    mine[0] = mine[0] + mine[16];
    mine[0] = mine[0] + mine[8];
    mine[0] = mine[0] + mine[4];
    mine[0] = mine[0] + mine[2];
    mine[0] = mine[0] + mine[1];
  }

  if (t == 0) blockSums[blockIdx.x] = partial[0];
}

// Mended: a __syncwarp after each step, and only the lanes whose sum is still needed add, so that
// none overwrites what another one reads in the same step.
__global__ void volatileUnrollMended(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t < 32) {
    for (unsigned stride = min(32u, blockDim.x / 2); stride > 0; stride /= 2) {
      if (t < stride) partial[t] += partial[t + stride];
      __syncwarp();
    }
  }

  if (t == 0) blockSums[blockIdx.x] = partial[0];
}

__device__ inline void addVolatile(volatile int* data, size_t i, unsigned stride, unsigned left) {
  if (stride < left) data[i] = data[i] + data[i + stride];
}

// The same mistake in global memory, where the tools that know only shared memory do not look. It
// seems to work for the same reason. The executor reports a race on data.
__global__ void volatileUnrollGlobal(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const unsigned left = i < n ? unsigned(min(n - i, size_t(blockDim.x - t))) : 0;  // mine and later

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride && stride < left) data[i] += data[i + stride];
    __syncthreads();
  }

  if (t < 32) {
    addVolatile(data, i, 32, left);
    addVolatile(data, i, 16, left);
    addVolatile(data, i, 8, left);
    addVolatile(data, i, 4, left);
    addVolatile(data, i, 2, left);
    addVolatile(data, i, 1, left);
  }

  if (t == 0) blockSums[blockIdx.x] = data[i];
}

// Mended as above.
__global__ void volatileUnrollGlobalMended(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const unsigned left = i < n ? unsigned(min(n - i, size_t(blockDim.x - t))) : 0;

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride && stride < left) data[i] += data[i + stride];
    __syncthreads();
  }

  if (t < 32) {
    for (unsigned stride = 32; stride > 0; stride /= 2) {
      if (t < stride && stride < left) data[i] += data[i + stride];
      __syncwarp();
    }
  }

  if (t == 0) blockSums[blockIdx.x] = data[i];
}

// ---- 2. A tree without its barrier

// Nobody waits for the sums of the step before. In a block of one or two warps the loop is short
// and the warps keep pace, so small tests pass; a block of 1024 on a busy GPU does not. The
// executor reports a race on partial at any size.
__global__ void treeWithoutBarrier(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
  }

  if (t == 0) blockSums[blockIdx.x] = partial[0];
}

// Mended: one barrier in each step, which every thread of the block reaches.
__global__ void treeWithBarrier(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = partial[0];
}

// What the mistakes with shuffles are made of: the sum of a warp in its lane 0, and the sum of a
// block in its thread 0. Every lane must call them.
__device__ inline int warpSum(int sum) {
  for (unsigned offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  return sum;
}

__device__ inline int blockSum(int value) {
  __shared__ int warpSums[32];
  const unsigned t = threadIdx.x;
  const int sum = warpSum(value);
  if (t % 32 == 0) warpSums[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return 0;
  return warpSum(t < blockDim.x / 32 ? warpSums[t] : 0);
}

// ---- 3. An early return

// Threads past n leave, although the shuffles of their warp name all 32 lanes, and although warp 0
// wants a sum from every warp. Nothing is wrong while n is a multiple of the block, and some GPUs
// answer a shuffle for an absent lane with an old value that happens to be 0. The executor says
// which lane never comes, or, where whole warps left, that nobody has written their sum.
__global__ void earlyReturn(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int sum = blockSum(data[i]);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Mended: a thread past n stays and brings a zero.
__global__ void earlyReturnMended(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int sum = blockSum(i < n ? data[i] : 0);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// ---- 4. A barrier inside a divergent branch

// The threads at work wait in the branch, the others at the barrier behind the loop: two barriers,
// and neither is reached by all. Many GPUs only count arrivals, so the first group is let go by the
// second one and the sum may even be right; others hang. The executor names both places.
__global__ void barrierInBranch(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] += partial[t + stride];
      __syncthreads();
    }
  }
  __syncthreads();

  if (t == 0) blockSums[blockIdx.x] = partial[0];
}

// Mended: the branch is for the work alone, the barrier behind it for everybody.
__global__ void barrierInBranchMended(int* data, int* blockSums, size_t n) {
  __shared__ int partial[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  partial[t] = i < n ? data[i] : 0;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
    __syncthreads();
  }

  if (t == 0) blockSums[blockIdx.x] = partial[0];
}

// The same with a shuffle, which is a barrier of the lanes that its mask names: a block of 256 has
// eight warps, so eight lanes enter and 24 go on to the barrier. With 1024 threads all 32 lanes
// enter and nothing is wrong, which is how it passes its tests. The executor says that the shuffle
// waits for lane 8, and where that one waits instead.
__global__ void shuffleInBranch(int* data, int* blockSums, size_t n) {
  __shared__ int warpSums[32];
  __shared__ int total;
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  const int sum = warpSum(i < n ? data[i] : 0);
  if (t % 32 == 0) warpSums[t / 32] = sum;
  __syncthreads();

  if (t < blockDim.x / 32) {
    const int sumOfWarps = warpSum(warpSums[t]);
    if (t == 0) total = sumOfWarps;
  }
  __syncthreads();

  if (t == 0) blockSums[blockIdx.x] = total;
}

// Mended: the whole first warp enters; the lanes without a warp of their own bring a zero.
__global__ void shuffleInBranchMended(int* data, int* blockSums, size_t n) {
  __shared__ int warpSums[32];
  __shared__ int total;
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;

  const int sum = warpSum(i < n ? data[i] : 0);
  if (t % 32 == 0) warpSums[t / 32] = sum;
  __syncthreads();

  if (t < 32) {
    const int sumOfWarps = warpSum(t < blockDim.x / 32 ? warpSums[t] : 0);
    if (t == 0) total = sumOfWarps;
  }
  __syncthreads();

  if (t == 0) blockSums[blockIdx.x] = total;
}

// ---- 5. A read past the end

// The last block reads past n when n is no multiple of the block. Device memory comes in large
// pieces, so the read hardly ever faults, and fresh memory is often zero, so the sum is right until
// something else has used it. The executor names the first element that is not there.
__global__ void readPastEnd(int* data, int* blockSums, size_t) {
  const int sum = blockSum(data[size_t(blockIdx.x) * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Mended: the bound is asked before the read.
__global__ void readPastEndMended(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int sum = blockSum(i < n ? data[i] : 0);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// ---- 6. A grid that drops the tail

// Each thread adds up to eight elements, a block's width apart. The kernel is right; see the grid.
__global__ void sumOfEight(int* data, int* blockSums, size_t n) {
  const size_t first = size_t(blockIdx.x) * blockDim.x * 8 + threadIdx.x;
  int sum = 0;
  for (unsigned k = 0; k < 8; ++k) {
    const size_t i = first + k * blockDim.x;
    if (i < n) sum += data[i];
  }
  sum = blockSum(sum);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// The grid for one element a thread, divided by eight: the division rounds down, and up to seven
// blocks' worth of elements are never added. With a power of two for n, which is what programs are
// tried with, nothing is lost. No access is wrong, so the executor says nothing: only comparing the
// sum shows it.
inline unsigned gridOverEight(size_t n, unsigned block) {
  const size_t grid = (n + block - 1) / block;
  return unsigned(grid / 8);
}

// Mended: one division, by what a block adds, rounded up.
inline unsigned gridOfEights(size_t n, unsigned block) {
  const size_t perBlock = size_t(block) * 8;
  return unsigned((n + perBlock - 1) / perBlock);
}

// ---- 7. A block sum that forgets the other warps

// A shuffle does not leave its warp, so thread 0 has the sum of the first 32 elements and the rest
// is dropped. With blocks of 32 it is right. No access is wrong and no lane is missing, so the
// executor says nothing: only comparing the sum shows it.
__global__ void firstWarpOnly(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int sum = warpSum(i < n ? data[i] : 0);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// Mended: lane 0 of every warp adds its warp's sum to the block's.
__global__ void firstWarpOnlyMended(int* data, int* blockSums, size_t n) {
  __shared__ int total;
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();

  const int sum = warpSum(i < n ? data[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
  __syncthreads();

  if (threadIdx.x == 0) blockSums[blockIdx.x] = total;
}

// ---- 8. Shared memory that is used again too soon

// blockSum is right, once. Called twice, say for a mean and then a variance, warp 1 may already
// write its second sum while warp 0 still reads the first ones. Warp 0 has only to read 32 words,
// so it nearly always wins. The executor reports a race on warpSums between warp 0 and another one.
__global__ void sumTwice(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
  const size_t j = i + blockDim.x;
  const int left = blockSum(i < n ? data[i] : 0);
  const int right = blockSum(j < n ? data[j] : 0);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = left + right;
}

// Mended: nobody starts the second sum before everybody is done with the first.
__global__ void sumTwiceMended(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
  const size_t j = i + blockDim.x;
  const int left = blockSum(i < n ? data[i] : 0);
  __syncthreads();
  const int right = blockSum(j < n ? data[j] : 0);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = left + right;
}
