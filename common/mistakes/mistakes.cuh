// A gallery of classic mistakes: kernels with one famous bug each, and their mended twins. Only the
// executor runs the broken ones. Each adds up its block of at most 1024 elements, as in the
// lessons.
#pragma once

#include "../../06_unroll8_warp/unroll8_warp.cuh"
#include "kernel.h"

// 1. The last warp without barriers. "Lanes of a warp run in lock-step, so volatile is enough":
// that was how GPUs before Volta happened to work. Now lane 16 may write its element before lane 0
// has read it. Often right, because often the lanes do stay together. The executor: a race.
__global__ void volatileWarp(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 16; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t < 16) {
    volatile int* const v = block;
    for (unsigned stride = 16; stride > 0; stride /= 2) v[t] = v[t] + v[t + stride];
    if (t == 0) blockSums[blockIdx.x] = v[0];
  }
}

__global__ void volatileWarpMended(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 16; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t < 16) {
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const int sum = block[t] + block[t + stride];
      __syncwarp(0xffff);  // everybody has read
      block[t] = sum;
      __syncwarp(0xffff);  // everybody has written
    }
    if (t == 0) blockSums[blockIdx.x] = block[0];
  }
}

// The same in global memory, where NVIDIA's racecheck does not look.
__global__ void volatileWarpGlobal(int* data, int* blockSums, size_t) {
  volatile int* const block = data + size_t(blockIdx.x) * blockDim.x;
  const unsigned t = threadIdx.x;
  for (unsigned stride = blockDim.x / 2; stride > 16; stride /= 2) {
    if (t < stride) block[t] = block[t] + block[t + stride];
    __syncthreads();
  }
  if (t < 16)
    for (unsigned stride = 16; stride > 0; stride /= 2) block[t] = block[t] + block[t + stride];
  if (t == 0) blockSums[blockIdx.x] = block[0];
}

__global__ void volatileWarpGlobalMended(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned left = i < n ? unsigned(min(n - i, size_t(blockDim.x))) : 0;
  int* const mine = data + i;
  for (unsigned stride = blockDim.x / 2; stride > 16; stride /= 2) {
    if (threadIdx.x < stride && stride < left) mine[0] += mine[stride];
    __syncthreads();
  }
  if (threadIdx.x < 32)  // addInWarp looks 16 elements ahead: the 32 lanes' own are enough
    for (unsigned stride = 16; stride > 0; stride /= 2)
      addInWarp(mine, stride, min(left, 32 - threadIdx.x));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = mine[0];
}

// 2. No barrier between the steps of the tree. A step reads what other warps wrote in the step
// before, perhaps too early. Small blocks and lucky schedules give the right sum. The executor: a
// race.
__global__ void missingBarrier(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2)
    if (t < stride) block[t] += block[t + stride];
  if (t == 0) blockSums[blockIdx.x] = block[0];
}

__global__ void missingBarrierMended(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) blockSums[blockIdx.x] = block[0];
}

// 3. Threads past n return, and the others shuffle with a mask that names all 32 lanes. What a lane
// gets from one that has returned is undefined; often it is an old value of a register. The
// executor: a shuffle that waits for a lane which never comes. The kernels are for blocks of one
// warp.
__global__ void earlyReturn(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = data[i];
  for (unsigned offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

__global__ void earlyReturnMended(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;  // everybody stays and brings at least nothing
  for (unsigned offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// 4. A barrier inside a branch that only some threads take. The two halves of the block wait at two
// different barriers; a GPU may let them pass as if they were one, or hang. The executor: threads
// that wait at different barriers.
__global__ void divergentBarrier(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      block[t] += block[t + stride];
      __syncthreads();
    } else {
      __syncthreads();
    }
  }
  if (t == 0) blockSums[blockIdx.x] = block[0];
}
// Its mended twin is missingBarrierMended: one barrier, behind the branch.

// 5. The last block reads past n. Most allocations are followed by other memory, so what is read is
// some number or other, often zero. The executor: out of bounds, with the thread and the element.
__global__ void readPastEnd(int* data, int* blockSums, size_t) {
  const unsigned t = threadIdx.x;
  int* const block = data + size_t(blockIdx.x) * blockDim.x;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) blockSums[blockIdx.x] = block[0];
}

__global__ void readPastEndMended(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const unsigned count = unsigned(min(n - first, size_t(blockDim.x)));
  int* const block = data + first;
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && t + stride < count) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) blockSums[blockIdx.x] = block[0];
}

// 6. Not in the kernel but before it: the grid for a kernel that takes eight data blocks per block
// is divided by eight and rounded down. With an n that is no multiple the tail is never read. There
// is nothing for the executor to find: every access is fine, only the sum is wrong.
inline unsigned gridDroppingTail(size_t n, unsigned block) { return unsigned(n / block / 8); }

inline unsigned gridDroppingTailMended(size_t n, unsigned block) {
  return unsigned((n + 8 * block - 1) / (8 * block));
}

// 7. A sum by shuffles reaches 32 lanes, and this kernel takes it for the sum of the block. Right
// in blocks of 32, where it was tested. No fault: the other warps' sums are simply left out.
__global__ void firstWarpOnly(int* data, int* blockSums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;
  for (unsigned offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

__global__ void firstWarpOnlyMended(int* data, int* blockSums, size_t n) {
  __shared__ int warpSums[32];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int sum = i < n ? data[i] : 0;
  for (unsigned offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warpSums[threadIdx.x] : 0;
    for (unsigned offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;
}

// 8. Shared memory reused while it may still be read. The block first exchanges neighbours through
// an array, and then reduces in the same array. Each half is right; the barrier that is missing
// lies between them, where nobody looks. The executor: a race.
__global__ void reusedShared(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const int element = i < n ? data[i] : 0;
  block[t] = element;
  __syncthreads();
  const int neighbour = block[(t + 1) % blockDim.x];
  block[t] = element + neighbour;  // while another thread may still read the old value
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) blockSums[blockIdx.x] = block[0] / 2;  // each element was counted twice
}

__global__ void reusedSharedMended(int* data, int* blockSums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  const int element = i < n ? data[i] : 0;
  block[t] = element;
  __syncthreads();
  const int neighbour = block[(t + 1) % blockDim.x];
  __syncthreads();  // everybody has read
  block[t] = element + neighbour;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) blockSums[blockIdx.x] = block[0] / 2;
}
