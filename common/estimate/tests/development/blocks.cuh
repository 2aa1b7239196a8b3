// Shared memory with and without conflicts, trees, scans, sorts.
#pragma once

#include "words.cuh"

namespace development {

enum class Access { loads, stores, both };

// Each lane goes through 32 words of its own: neighbouring lanes are so many words apart.
template <Access access, unsigned stride>
__global__ void sharedApart(unsigned* y, unsigned steps) {
  __shared__ unsigned words[8 * 1024];
  const unsigned lane = threadIdx.x % 32, t = threadIdx.x;
  unsigned* const mine = words + t / 32 * 1024;
  for (unsigned k = lane; k < 1024; k += 32) mine[k] = k;
  __syncwarp();
  unsigned sum = 0;
  for (unsigned k = 0; k < steps; ++k) {
    const unsigned at = lane * stride + k % stride + k / stride * 32 * stride % 1024;
    if (access == Access::loads) sum += mine[at];
    if (access == Access::stores) mine[at] = k;
    if (access == Access::both) mine[at] += 1;
  }
  __syncwarp();
  if (access != Access::loads) sum = mine[lane];
  y[blockIdx.x * blockDim.x + t] = sum;
}

enum class Tree { remainder, conflicts, halves };

// A block's sum of 512 elements, by a tree.
template <Tree kind>
__global__ void treeOf(const unsigned* x, unsigned* y) {
  __shared__ unsigned sums[512];
  const unsigned t = threadIdx.x;
  sums[t] = x[blockIdx.x * 512 + t];
  __syncthreads();
  if (kind == Tree::halves) {
    for (unsigned d = 256; d > 0; d /= 2) {
      if (t < d) sums[t] += sums[t + d];
      __syncthreads();
    }
  } else {
    for (unsigned d = 1; d < 512; d *= 2) {
      if (kind == Tree::remainder) {
        if (t % (2 * d) == 0) sums[t] += sums[t + d];
      } else {
        const unsigned at = 2 * d * t;
        if (at < 512) sums[at] += sums[at + d];
      }
      __syncthreads();
    }
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

// Sums of all elements of a block before each: up and down a tree.
__global__ void scanUpAndDown(const unsigned* x, unsigned* y) {
  __shared__ unsigned sums[512];
  const unsigned t = threadIdx.x, first = blockIdx.x * 512;
  sums[t] = x[first + t];
  sums[t + 256] = x[first + t + 256];
  unsigned offset = 1;
  for (unsigned d = 256; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) sums[511] = 0;
  for (unsigned d = 1; d < 512; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const unsigned low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
      const unsigned kept = sums[low];
      sums[low] = sums[high];
      sums[high] += kept;
    }
  }
  __syncthreads();
  y[first + t] = sums[t];
  y[first + t + 256] = sums[t + 256];
}

__global__ void scanInSteps(const unsigned* x, unsigned* y) {
  __shared__ unsigned sums[512];
  const unsigned t = threadIdx.x, i = blockIdx.x * 512 + t;
  sums[t] = x[i];
  for (unsigned d = 1; d < 512; d *= 2) {
    __syncthreads();
    const unsigned before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
  }
  y[i] = sums[t] - x[i];
}

__device__ inline unsigned scanOfWarp(unsigned sum) {
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned before = __shfl_up_sync(~0u, sum, d);
    if (threadIdx.x % 32 >= d) sum += before;
  }
  return sum;
}
__global__ void scanByWarps(const unsigned* x, unsigned* y) {
  __shared__ unsigned warps[16];
  const unsigned t = threadIdx.x, i = blockIdx.x * 512 + t;
  const unsigned value = x[i], sum = scanOfWarp(value);
  if (t % 32 == 31) warps[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    const unsigned all = scanOfWarp(t < 16 ? warps[t] : 0);
    if (t < 16) warps[t] = all;
  }
  __syncthreads();
  y[i] = sum - value + (t >= 32 ? warps[t / 32 - 1] : 0);
}

// 256 elements of a block, in order: neighbours change places.
__global__ void sortNeighbours(const unsigned* x, unsigned* y) {
  __shared__ unsigned values[256];
  const unsigned t = threadIdx.x;
  values[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned round = 0; round < 256; ++round) {
    const unsigned low = 2 * t + round % 2;
    if (low + 1 < 256) {
      const unsigned a = values[low], b = values[low + 1];
      if (a > b) {
        values[low] = b;
        values[low + 1] = a;
      }
    }
    __syncthreads();
  }
  y[blockIdx.x * 256 + t] = values[t];
}
// How many are smaller says where an element goes.
__global__ void sortByRank(const unsigned* x, unsigned* y) {
  __shared__ unsigned values[256];
  const unsigned t = threadIdx.x;
  const unsigned mine = x[blockIdx.x * 256 + t];
  values[t] = mine;
  __syncthreads();
  unsigned rank = 0;
  for (unsigned k = 0; k < 256; ++k) rank += values[k] < mine || (values[k] == mine && k < t);
  y[blockIdx.x * 256 + rank] = mine;
}
__global__ void sortBitonic(const unsigned* x, unsigned* y) {
  __shared__ unsigned values[256];
  const unsigned t = threadIdx.x;
  values[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = t ^ stride;
      if (other > t) {
        const unsigned a = values[t], b = values[other];
        if ((a > b) == ((t & size) == 0)) {
          values[t] = b;
          values[other] = a;
        }
      }
      __syncthreads();
    }
  y[blockIdx.x * 256 + t] = values[t];
}

}  // namespace development
