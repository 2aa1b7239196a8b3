// Frozen set: matrix products in five steps, matrix × vector, rows of a matrix. Sides are multiples
// of 128.
#pragma once

#include "words.cuh"

namespace frozen {

// ---- C = A × B, in floats.

// Blocks of 32 × 32: the lanes of a warp have rows of their own.
__global__ void sgemmLanesDown(const float* a, const float* b, float* c, unsigned side) {
  const unsigned row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k)
    sum += a[size_t(row) * side + k] * b[size_t(k) * side + column];
  c[size_t(row) * side + column] = sum;
}

__global__ void sgemmLanesAcross(const float* a, const float* b, float* c, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k)
    sum += a[size_t(row) * side + k] * b[size_t(k) * side + column];
  c[size_t(row) * side + column] = sum;
}

__global__ void sgemmTiles(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[32][32], tileB[32][32];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (unsigned k = 0; k < side; k += 32) {
    tileA[y][x] = a[size_t(row) * side + k + x];
    tileB[y][x] = b[size_t(k + y) * side + column];
    __syncthreads();
    for (unsigned j = 0; j < 32; ++j) sum += tileA[y][j] * tileB[j][x];
    __syncthreads();
  }
  c[size_t(row) * side + column] = sum;
}

// 512 threads make a tile of 64 × 64: each eight elements of a column.
__global__ void sgemmColumnEach(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[64][8], tileB[8][64];
  const unsigned t = threadIdx.x, column = t % 64, rows = t / 64 * 8;
  const size_t top = size_t(blockIdx.y) * 64, left = size_t(blockIdx.x) * 64;
  float sums[8] = {};
  for (unsigned k = 0; k < side; k += 8) {
    tileA[t / 8][t % 8] = a[(top + t / 8) * side + k + t % 8];
    tileB[t / 64][t % 64] = b[size_t(k + t / 64) * side + left + t % 64];
    __syncthreads();
    for (unsigned j = 0; j < 8; ++j) {
      const float across = tileB[j][column];
#pragma unroll
      for (unsigned r = 0; r < 8; ++r) sums[r] += tileA[rows + r][j] * across;
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) c[(top + rows + r) * side + left + column] = sums[r];
}

// 256 threads make a tile of 128 × 128: each a square of 8 × 8.
__global__ void __launch_bounds__(256)
    sgemmSquareEach(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[8][128], tileB[8][128];
  const unsigned t = threadIdx.x, rows = t / 16 * 8, columns = t % 16 * 8;
  const size_t top = size_t(blockIdx.y) * 128, left = size_t(blockIdx.x) * 128;
  float sums[8][8] = {};
  for (unsigned k = 0; k < side; k += 8) {
    for (unsigned i = t; i < 1024; i += 256) {
      tileA[i % 8][i / 8] = a[(top + i / 8) * side + k + i % 8];
      tileB[i / 128][i % 128] = b[size_t(k + i / 128) * side + left + i % 128];
    }
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      float down[8], across[8];
#pragma unroll
      for (unsigned r = 0; r < 8; ++r) {
        down[r] = tileA[j][rows + r];
        across[r] = tileB[j][columns + r];
      }
#pragma unroll
      for (unsigned r = 0; r < 8; ++r)
#pragma unroll
        for (unsigned q = 0; q < 8; ++q) sums[r][q] += down[r] * across[q];
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned r = 0; r < 8; ++r)
#pragma unroll
    for (unsigned q = 0; q < 8; ++q) c[(top + rows + r) * side + left + columns + q] = sums[r][q];
}

// ---- y = A × x.

__global__ void matvecThreadPerRow(const float* a, const float* x, float* y, unsigned side) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= side) return;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k) sum += a[size_t(row) * side + k] * x[k];
  y[row] = sum;
}

__device__ inline float sumOfWarp(float sum) {
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_xor_sync(~0u, sum, delta);
  return sum;
}

__global__ void matvecWarpPerRow(const float* a, const float* x, float* y, unsigned side) {
  const unsigned lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= side) return;
  const float4* const four = reinterpret_cast<const float4*>(a + size_t(row) * side);
  float sum = 0;
  for (unsigned k = lane; k < side / 4; k += 32) {
    const float4 v = four[k], w = reinterpret_cast<const float4*>(x)[k];
    sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
  }
  sum = sumOfWarp(sum);
  if (lane == 0) y[row] = sum;
}

// Of the transposed matrix: a thread for each column.
__global__ void matvecThreadPerColumn(const float* a, const float* x, float* y, unsigned side) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= side) return;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k) sum += a[size_t(k) * side + column] * x[k];
  y[column] = sum;
}

// ---- Rows.

// The sum of a block of 256 threads, for each of them.
__device__ inline float sumOfBlock(float sum) {
  __shared__ float warps[8];
  sum = sumOfWarp(sum);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (unsigned w = 0; w < 8; ++w) sum += warps[w];
  return sum;
}

__global__ void layerNorm(const float* x, float* y, unsigned columns) {
  const float* const row = x + size_t(blockIdx.x) * columns;
  float sum = 0, squares = 0;
  for (unsigned k = threadIdx.x; k < columns; k += 256) sum += row[k];
  const float mean = sumOfBlock(sum) / float(columns);
  for (unsigned k = threadIdx.x; k < columns; k += 256) {
    const float off = row[k] - mean;
    squares += off * off;
  }
  const float scale = 1 / sqrtf(sumOfBlock(squares) / float(columns) + 1e-5f);
  for (unsigned k = threadIdx.x; k < columns; k += 256)
    y[size_t(blockIdx.x) * columns + k] = (row[k] - mean) * scale;
}

// The same with a warp for each row, and sums of values and squares in one pass.
__global__ void layerNormWarp(const float* x, float* y, unsigned columns) {
  const size_t row = size_t(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  const float* const from = x + row * columns;
  float sum = 0, squares = 0;
  for (unsigned k = threadIdx.x % 32; k < columns; k += 32) {
    const float v = from[k];
    sum += v;
    squares += v * v;
  }
  const float mean = sumOfWarp(sum) / float(columns);
  const float scale = rsqrtf(sumOfWarp(squares) / float(columns) - mean * mean + 1e-5f);
  for (unsigned k = threadIdx.x % 32; k < columns; k += 32)
    y[row * columns + k] = (from[k] - mean) * scale;
}

// A warp for each row; largest value and sum of exponentials in one pass.
__global__ void softmaxOnline(const float* x, float* y, unsigned columns) {
  const size_t row = size_t(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  const float* const from = x + row * columns;
  float largest = -1e30f, sum = 0;
  for (unsigned k = threadIdx.x % 32; k < columns; k += 32) {
    const float v = from[k], larger = fmaxf(v, largest);
    sum = sum * expf(largest - larger) + expf(v - larger);
    largest = larger;
  }
  for (unsigned delta = 16; delta > 0; delta /= 2) {
    const float other = __shfl_xor_sync(~0u, largest, delta);
    const float otherSum = __shfl_xor_sync(~0u, sum, delta), larger = fmaxf(largest, other);
    sum = sum * expf(largest - larger) + otherSum * expf(other - larger);
    largest = larger;
  }
  for (unsigned k = threadIdx.x % 32; k < columns; k += 32)
    y[row * columns + k] = expf(from[k] - largest) / sum;
}

}  // namespace frozen
