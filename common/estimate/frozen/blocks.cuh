// Frozen set: scans, sorts and reductions.
#pragma once

#include "words.cuh"

namespace frozen {

// ---- Inclusive sums of each 512 (or 1,024) elements.

// Up a tree and down again; 512 threads have 1,024 elements.
__global__ void scanUpAndDown(const unsigned* x, unsigned* y) {
  __shared__ unsigned sums[1024];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * 1024;
  const unsigned a = x[first + 2 * t], b = x[first + 2 * t + 1];
  sums[2 * t] = a;
  sums[2 * t + 1] = b;
  unsigned offset = 1;
  for (unsigned active = 512; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) sums[1023] = 0;
  for (unsigned active = 1; active < 1024; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < active) {
      const unsigned left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const unsigned before = sums[left];
      sums[left] = sums[right];
      sums[right] += before;
    }
  }
  __syncthreads();
  y[first + 2 * t] = sums[2 * t] + a;
  y[first + 2 * t + 1] = sums[2 * t + 1] + b;
}

// 128 threads of eight elements each, which they load and store as two times 16 bytes.
__global__ void scanEightEach(const uint4* x, uint4* y) {
  __shared__ unsigned warps[4];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t at = (size_t(blockIdx.x) * 128 + threadIdx.x) * 2;
  uint4 a = x[at], b = x[at + 1];
  a.y += a.x;
  a.z += a.y;
  a.w += a.z;
  b.x += a.w;
  b.y += b.x;
  b.z += b.y;
  b.w += b.z;
  unsigned sum = b.w;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const unsigned below = __shfl_up_sync(~0u, sum, delta);
    if (lane >= delta) sum += below;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  unsigned before = sum - b.w;
  for (unsigned w = 0; w < warp; ++w) before += warps[w];
  y[at] = make_uint4(a.x + before, a.y + before, a.z + before, a.w + before);
  y[at + 1] = make_uint4(b.x + before, b.y + before, b.z + before, b.w + before);
}

// Rows of 64 elements: by one thread, and by one warp.
__global__ void scanRowPerThread(const unsigned* x, unsigned* y, size_t rows) {
  const size_t row = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < 64; ++k) y[row * 64 + k] = sum += x[row * 64 + k];
}

__global__ void scanRowPerWarp(const unsigned* x, unsigned* y, size_t rows) {
  const size_t row = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= rows) return;
  unsigned before = 0;
  for (unsigned k = lane; k < 64; k += 32) {
    unsigned sum = x[row * 64 + k];
    for (unsigned delta = 1; delta < 32; delta *= 2) {
      const unsigned below = __shfl_up_sync(~0u, sum, delta);
      if (lane >= delta) sum += below;
    }
    y[row * 64 + k] = sum + before;
    before += __shfl_sync(~0u, sum, 31);
  }
}

// ---- Sorts.

// A thread for each of 512 elements; the lower one of a pair exchanges them.
__global__ void bitonicLowerExchanges(const unsigned* x, unsigned* y) {
  __shared__ unsigned values[512];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 512 + t;
  values[t] = x[i];
  __syncthreads();
  for (unsigned size = 2; size <= 512; size *= 2)
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
  y[i] = values[t];
}

// A warp sorts its 32 elements without shared memory.
__global__ void bitonicInWarps(const unsigned* x, unsigned* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned mine = x[i];
  for (unsigned size = 2; size <= 32; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = __shfl_xor_sync(~0u, mine, stride);
      const bool keepsSmaller = ((lane & size) == 0) == ((lane & stride) == 0);
      mine = keepsSmaller ? min(mine, other) : max(mine, other);
    }
  y[i] = mine;
}

// Each thread of 512 counts how many come before its element.
__global__ void sortByRank(const unsigned* x, unsigned* y) {
  __shared__ unsigned values[512];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * 512;
  values[t] = x[first + t];
  __syncthreads();
  const unsigned mine = values[t];
  unsigned rank = 0;
  for (unsigned k = 0; k < 512; ++k) rank += values[k] < mine || (values[k] == mine && k < t);
  y[first + rank] = mine;
}

// ---- Reductions of odd kinds.

// The place of the largest of each 1,024 elements, the first of equal ones. 256 threads.
__global__ void placeOfLargest(const float* x, unsigned* places) {
  __shared__ float values[8];
  __shared__ unsigned at[8];
  const size_t first = size_t(blockIdx.x) * 1024;
  float largest = -1;
  unsigned place = 0;
  for (unsigned k = threadIdx.x; k < 1024; k += 256)
    if (x[first + k] > largest) {
      largest = x[first + k];
      place = k;
    }
  const auto take = [&](float other, unsigned otherPlace) {
    if (other > largest || (other == largest && otherPlace < place)) {
      largest = other;
      place = otherPlace;
    }
  };
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const float other = __shfl_down_sync(~0u, largest, delta);
    take(other, __shfl_down_sync(~0u, place, delta));
  }
  if (threadIdx.x % 32 == 0) {
    values[threadIdx.x / 32] = largest;
    at[threadIdx.x / 32] = place;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned w = 1; w < 8; ++w) take(values[w], at[w]);
  places[blockIdx.x] = place;
}

// Sums of segments of 96 elements: by a thread, and by a warp.
__global__ void segmentPerThread(const float* x, float* sums, size_t segments) {
  const size_t s = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s >= segments) return;
  float sum = 0;
  for (unsigned k = 0; k < 96; ++k) sum += x[s * 96 + k];
  sums[s] = sum;
}

__global__ void segmentPerWarp(const float* x, float* sums, size_t segments) {
  const size_t s = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (s >= segments) return;
  float sum = 0;
  for (unsigned k = threadIdx.x % 32; k < 96; k += 32) sum += x[s * 96 + k];
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(~0u, sum, delta);
  if (threadIdx.x % 32 == 0) sums[s] = sum;
}

// The inner product in two launches: gridDim.x sums, and one block of 1,024 threads for them.
__global__ void innerProductBlocks(const float* x, const float* y, double* sums, size_t n) {
  __shared__ double partial[256];
  const size_t threads = size_t(gridDim.x) * 256;
  double sum = 0;
  for (size_t i = size_t(blockIdx.x) * 256 + threadIdx.x; i < n; i += threads)
    sum += double(x[i]) * y[i];
  partial[threadIdx.x] = sum;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void innerProductLast(const double* sums, double* total, unsigned count) {
  __shared__ double partial[1024];
  partial[threadIdx.x] = 0;
  for (unsigned k = threadIdx.x; k < count; k += 1024) partial[threadIdx.x] += sums[k];
  for (unsigned half = 512; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *total = partial[0];
}

}  // namespace frozen
