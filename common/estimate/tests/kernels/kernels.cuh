// Kernels of the kinds that everybody writes, which nobody tuned the timing model for: what it says
// of them is compared with what they took on a card.
#pragma once

#include "cuda/kernel.h"

// ---- Streams.

__global__ void copy(const float* x, float* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void axpy(const float* x, float* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.5f * x[i] + y[i];
}

// A thread multiplies and adds 1,024 times, each time with the result before.
__global__ void multiplyAddChain(const float* x, float* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i];
  float sum = a;
  for (unsigned k = 0; k < 1024; ++k) sum = sum * a + 0.5f;
  y[i] = sum;
}

// The same work in four chains that do not need each other.
__global__ void multiplyAddFourChains(const float* x, float* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i];
  float s0 = a, s1 = a + 1, s2 = a + 2, s3 = a + 3;
  for (unsigned k = 0; k < 256; ++k) {
    s0 = s0 * a + 0.5f;
    s1 = s1 * a + 0.5f;
    s2 = s2 * a + 0.5f;
    s3 = s3 * a + 0.5f;
  }
  y[i] = s0 + s1 + s2 + s3;
}

// Every load needs the index that the one before has loaded.
__global__ void dependentLoads(const unsigned* next, unsigned* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = unsigned(i);
  for (unsigned k = 0; k < 8; ++k) at = next[at];
  y[i] = at;
}

// ---- Neighbours.

__global__ void stencilLine(const float* x, float* y, size_t n) {
  __shared__ float near[256 + 2];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 256 + t;
  near[t + 1] = i < n ? x[i] : 0;
  if (t == 0) near[0] = i > 0 ? x[i - 1] : 0;
  if (t == 255) near[257] = i + 1 < n ? x[i + 1] : 0;
  __syncthreads();
  if (i < n) y[i] = 0.25f * near[t] + 0.5f * near[t + 1] + 0.25f * near[t + 2];
}

__global__ void stencilPlane(const float* x, float* y, unsigned width, unsigned height) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x % 32;
  const unsigned row = blockIdx.y * 8 + threadIdx.x / 32;
  if (column == 0 || row == 0 || column + 1 >= width || row + 1 >= height) return;
  const size_t i = size_t(row) * width + column;
  y[i] = 0.2f * (x[i] + x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
}

__global__ void transposeNaive(const float* x, float* y, unsigned width, unsigned height) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x % 32;
  const unsigned row = blockIdx.y * 8 + threadIdx.x / 32;
  if (column < width && row < height)
    y[size_t(column) * height + row] = x[size_t(row) * width + column];
}

__global__ void transposeTiles(const float* x, float* y, unsigned width, unsigned height) {
  __shared__ float tile[32][33];
  const unsigned across = threadIdx.x % 32, down = threadIdx.x / 32;
  const unsigned left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (unsigned k = 0; k < 32; k += 8)
    tile[down + k][across] = x[size_t(top + down + k) * width + left + across];
  __syncthreads();
  for (unsigned k = 0; k < 32; k += 8)
    y[size_t(left + down + k) * height + top + across] = tile[across][down + k];
}

// ---- Scans and sorts of a block's own elements.

__global__ void scanShared(const int* x, int* y, size_t n) {
  __shared__ int sums[2][512];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 512 + t;
  unsigned now = 0;
  sums[0][t] = i < n ? x[i] : 0;
  __syncthreads();
  for (unsigned delta = 1; delta < 512; delta *= 2) {
    sums[1 - now][t] = sums[now][t] + (t >= delta ? sums[now][t - delta] : 0);
    now = 1 - now;
    __syncthreads();
  }
  if (i < n) y[i] = sums[now][t];
}

__device__ inline int scanWarp(int sum) {
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const int below = __shfl_up_sync(~0u, sum, delta);
    if (threadIdx.x % 32 >= delta) sum += below;
  }
  return sum;
}

__global__ void scanShuffle(const int* x, int* y, size_t n) {
  __shared__ int warps[16];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * 512 + t;
  int sum = scanWarp(i < n ? x[i] : 0);
  if (t % 32 == 31) warps[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    const int all = scanWarp(t < 16 ? warps[t] : 0);
    if (t < 16) warps[t] = all;
  }
  __syncthreads();
  if (t >= 32) sum += warps[t / 32 - 1];
  if (i < n) y[i] = sum;
}

__global__ void bitonicSort(const int* x, int* y, size_t n) {
  __shared__ int values[1024];
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * 1024;
  for (unsigned k = t; k < 1024; k += 512) values[k] = first + k < n ? x[first + k] : 0;
  __syncthreads();
  for (unsigned size = 2; size <= 1024; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned low = 2 * t - (t & (stride - 1));
      const bool up = (low & size) == 0;
      const int a = values[low], b = values[low + stride];
      if ((a > b) == up) {
        values[low] = b;
        values[low + stride] = a;
      }
      __syncthreads();
    }
  }
  for (unsigned k = t; k < 1024; k += 512)
    if (first + k < n) y[first + k] = values[k];
}

// ---- Matrices of side × side, side a multiple of 32.

__global__ void productNaive(const float* a, const float* b, float* c, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x % 32;
  const unsigned row = blockIdx.y * 8 + threadIdx.x / 32;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k)
    sum += a[size_t(row) * side + k] * b[size_t(k) * side + column];
  c[size_t(row) * side + column] = sum;
}

__global__ void productTiles(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[16][16], tileB[16][16];
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
  const unsigned column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (unsigned k = 0; k < side; k += 16) {
    tileA[y][x] = a[size_t(row) * side + k + x];
    tileB[y][x] = b[size_t(k + y) * side + column];
    __syncthreads();
    for (unsigned j = 0; j < 16; ++j) sum += tileA[y][j] * tileB[j][x];
    __syncthreads();
  }
  c[size_t(row) * side + column] = sum;
}

// ---- A block for each row of 1,024.

__global__ void softmax(const float* x, float* y) {
  __shared__ float warps[8];
  const unsigned t = threadIdx.x, lane = t % 32;
  const float* const row = x + size_t(blockIdx.x) * 1024;
  float v[4], largest = -1e30f, sum = 0;
  for (unsigned k = 0; k < 4; ++k) v[k] = row[t + 256 * k];
  for (unsigned k = 0; k < 4; ++k) largest = v[k] > largest ? v[k] : largest;
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const float other = __shfl_xor_sync(~0u, largest, delta);
    largest = other > largest ? other : largest;
  }
  if (lane == 0) warps[t / 32] = largest;
  __syncthreads();
  for (unsigned w = 0; w < 8; ++w) largest = warps[w] > largest ? warps[w] : largest;
  __syncthreads();
  for (unsigned k = 0; k < 4; ++k) sum += v[k] = expf(v[k] - largest);
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(~0u, sum, delta);
  if (lane == 0) warps[t / 32] = sum;
  __syncthreads();
  sum = 0;
  for (unsigned w = 0; w < 8; ++w) sum += warps[w];
  for (unsigned k = 0; k < 4; ++k) y[size_t(blockIdx.x) * 1024 + t + 256 * k] = v[k] / sum;
}

// ---- Counting.

__global__ void histogram(const unsigned* x, unsigned* counts, size_t n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const size_t first = size_t(blockIdx.x) * 4096 + threadIdx.x;
  for (unsigned k = 0; k < 16; ++k)
    if (first + 256 * k < n) atomicAdd(&mine[x[first + 256 * k] % 256], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
