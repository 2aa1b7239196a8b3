// Frozen set: streams, strides, random places, stencils, transpositions.
#pragma once

#include "words.cuh"

namespace frozen {

__device__ inline size_t globalThread() { return size_t(blockIdx.x) * blockDim.x + threadIdx.x; }

// ---- Streams.

__global__ void copyEach(const float* x, float* y, size_t n) {
  const size_t i = globalThread();
  if (i < n) y[i] = x[i];
}

__global__ void copySixteenBytes(const float4* x, float4* y, size_t quarters) {
  const size_t i = globalThread();
  if (i < quarters) y[i] = x[i];
}

__global__ void saxpyInPlace(float a, const float* x, float* y, size_t n) {
  const size_t i = globalThread();
  if (i < n) y[i] += a * x[i];
}

__global__ void triadGridStride(const float* x, const float* y, float* z, size_t n) {
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  for (size_t i = globalThread(); i < n; i += threads) z[i] = x[i] + 3.0f * y[i];
}

__global__ void reverseWhole(const float* x, float* y, size_t n) {
  const size_t i = globalThread();
  if (i < n) y[n - 1 - i] = x[i];
}

// ---- Strides and random places.

__global__ void gatherEvery(const float* x, float* y, unsigned stride, size_t count) {
  const size_t i = globalThread();
  if (i < count) y[i] = x[i * stride];
}

__global__ void scatterEvery(const float* x, float* y, unsigned stride, size_t count) {
  const size_t i = globalThread();
  if (i < count) y[i * stride] = x[i];
}

// mask: elements of x less one, of which there are a power of two.
__global__ void gatherPlaces(const float* x, const unsigned* places, float* y, unsigned mask,
                             size_t count) {
  const size_t i = globalThread();
  if (i < count) y[i] = x[places[i] & mask];
}

__global__ void scatterPlaces(const float* x, float* y, unsigned odd, unsigned mask) {
  const unsigned i = unsigned(globalThread());
  y[(i * odd) & mask] = x[i];  // an odd factor makes a permutation
}

__host__ __device__ inline unsigned nextPlace(unsigned h) { return h * 1664525u + 1013904223u; }

__global__ void eightHashedPlaces(const float* x, float* y, unsigned mask, size_t count) {
  const size_t i = globalThread();
  if (i >= count) return;
  unsigned h = unsigned(i);
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) {
    h = nextPlace(h);
    sum += x[(h >> 5) & mask];
  }
  y[i] = sum;
}

// A list that the caches hold: what a step costs is their latency.
__global__ void chaseSmallList(const unsigned* next, unsigned* y, unsigned steps) {
  const unsigned i = unsigned(globalThread());
  unsigned at = i & 2047;
  for (unsigned k = 0; k < steps; ++k) at = next[at] & 2047;
  y[i] = at;
}

// ---- Stencils. What lies outside is left alone.

__global__ void sevenInALine(const float* x, float* y, size_t n) {
  const size_t i = globalThread();
  if (i < 3 || i + 3 >= n) return;
  float sum = 0;
  for (int k = -3; k <= 3; ++k) sum += x[i + k];
  y[i] = sum / 7;
}

__global__ void sevenInALineShared(const float* x, float* y, size_t n) {
  __shared__ float near[128 + 6];
  const size_t first = size_t(blockIdx.x) * 128;
  for (unsigned k = threadIdx.x; k < 134; k += 128)
    near[k] = first + k >= 3 && first + k < n + 3 ? x[first + k - 3] : 0;
  __syncthreads();
  const size_t i = first + threadIdx.x;
  if (i < 3 || i + 3 >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < 7; ++k) sum += near[threadIdx.x + k];
  y[i] = sum / 7;
}

__global__ void nineInAPlane(const float* x, float* y, unsigned width, unsigned height) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column == 0 || row == 0 || column + 1 >= width || row + 1 >= height) return;
  float sum = 0;
  for (unsigned r = row - 1; r <= row + 1; ++r)
    for (unsigned c = column - 1; c <= column + 1; ++c) sum += x[size_t(r) * width + c];
  y[size_t(row) * width + column] = sum / 9;
}

// Blocks of 32 × 8.
__global__ void nineInAPlaneShared(const float* x, float* y, unsigned width, unsigned height) {
  __shared__ float tile[10][34];
  const unsigned left = blockIdx.x * 32, top = blockIdx.y * 8;
  for (unsigned k = threadIdx.y * 32 + threadIdx.x; k < 340; k += 256) {
    const unsigned r = top + k / 34, c = left + k % 34;  // one further than the element's
    const bool inside = r > 0 && c > 0 && r <= height && c <= width;
    tile[k / 34][k % 34] = inside ? x[size_t(r - 1) * width + c - 1] : 0;
  }
  __syncthreads();
  const unsigned column = left + threadIdx.x, row = top + threadIdx.y;
  if (column == 0 || row == 0 || column + 1 >= width || row + 1 >= height) return;
  float sum = 0;
  for (unsigned r = 0; r < 3; ++r)
    for (unsigned c = 0; c < 3; ++c) sum += tile[threadIdx.y + r][threadIdx.x + c];
  y[size_t(row) * width + column] = sum / 9;
}

__device__ inline bool isOnFace(unsigned a, unsigned side) { return a == 0 || a + 1 >= side; }

// A cube of side³ in a grid of three dimensions.
__global__ void sevenInACube(const float* x, float* y, unsigned side) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned k = blockIdx.z * blockDim.z + threadIdx.z;
  if (isOnFace(i, side) || isOnFace(j, side) || isOnFace(k, side)) return;
  const size_t plane = size_t(side) * side, at = k * plane + size_t(j) * side + i;
  y[at] = x[at - 1] + x[at + 1] + x[at - side] + x[at + side] + x[at - plane] + x[at + plane] -
          6 * x[at];
}

// A thread goes up through all planes and keeps three of them in registers.
__global__ void sevenInACubeMarching(const float* x, float* y, unsigned side) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned j = blockIdx.y * blockDim.y + threadIdx.y;
  if (isOnFace(i, side) || isOnFace(j, side)) return;
  const size_t plane = size_t(side) * side;
  size_t at = size_t(j) * side + i;
  float below = x[at], here = x[at + plane];
  for (unsigned k = 1; k + 1 < side; ++k) {
    at += plane;
    const float above = x[at + plane];
    y[at] = x[at - 1] + x[at + 1] + x[at - side] + x[at + side] + below + above - 6 * here;
    below = here;
    here = above;
  }
}

// ---- Transpositions of side × side; blocks of 16 × 16 or 32 × 32 threads.

__global__ void transposeReadingRows(const float* x, float* y, unsigned side) {
  const unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned r = blockIdx.y * blockDim.y + threadIdx.y;
  y[size_t(c) * side + r] = x[size_t(r) * side + c];
}

__global__ void transposeWritingRows(const float* x, float* y, unsigned side) {
  const unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned r = blockIdx.y * blockDim.y + threadIdx.y;
  y[size_t(r) * side + c] = x[size_t(c) * side + r];
}

template <unsigned padding>
__global__ void transposeInTiles(const float* x, float* y, unsigned side) {
  __shared__ float tile[32][32 + padding];
  const unsigned left = blockIdx.x * 32, top = blockIdx.y * 32;
  tile[threadIdx.y][threadIdx.x] = x[size_t(top + threadIdx.y) * side + left + threadIdx.x];
  __syncthreads();
  y[size_t(left + threadIdx.y) * side + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

}  // namespace frozen
