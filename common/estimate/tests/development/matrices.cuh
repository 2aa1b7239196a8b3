// Products of matrices in five steps, transpositions, stencils.
#pragma once

#include "words.cuh"

namespace development {

// ---- c = a · b, all of side × side.

// Neighbouring threads are of neighbouring rows.
__global__ void productByRows(const float* a, const float* b, float* c, unsigned side) {
  const unsigned row = blockIdx.x * 32 + threadIdx.x % 32;
  const unsigned column = blockIdx.y * 8 + threadIdx.x / 32;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k) sum += a[row * side + k] * b[k * side + column];
  c[row * side + column] = sum;
}
__global__ void productByColumns(const float* a, const float* b, float* c, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x % 32;
  const unsigned row = blockIdx.y * 8 + threadIdx.x / 32;
  float sum = 0;
  for (unsigned k = 0; k < side; ++k) sum += a[row * side + k] * b[k * side + column];
  c[row * side + column] = sum;
}
__global__ void productInTiles(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[32][32], tileB[32][32];
  const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
  const unsigned column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (unsigned k = 0; k < side; k += 32) {
    tileA[y][x] = a[row * side + k + x];
    tileB[y][x] = b[(k + y) * side + column];
    __syncthreads();
    for (unsigned j = 0; j < 32; ++j) sum += tileA[y][j] * tileB[j][x];
    __syncthreads();
  }
  c[row * side + column] = sum;
}
// A thread has eight results below each other: 64 × 64 a block of 512.
__global__ void productInColumns(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[64 * 8], tileB[8 * 64];
  const unsigned t = threadIdx.x, x = t % 64, y = t / 64;
  const float* const rowsOfA = a + size_t(blockIdx.y) * 64 * side;
  const float* const columnsOfB = b + blockIdx.x * 64;
  float sums[8] = {};
  for (unsigned k = 0; k < side; k += 8) {
    tileA[t] = rowsOfA[t / 8 * side + k + t % 8];
    tileB[t] = columnsOfB[(k + y) * side + x];
    __syncthreads();
    for (unsigned j = 0; j < 8; ++j) {
      const float ofB = tileB[j * 64 + x];
      for (unsigned r = 0; r < 8; ++r) sums[r] += tileA[(y * 8 + r) * 8 + j] * ofB;
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < 8; ++r)
    c[(blockIdx.y * 64 + y * 8 + r) * side + blockIdx.x * 64 + x] = sums[r];
}
// A thread has 8 × 8 results: 128 × 128 a block of 256.
__global__ void productInSquares(const float* a, const float* b, float* c, unsigned side) {
  __shared__ float tileA[128 * 8], tileB[8 * 128];
  const unsigned t = threadIdx.x, x = t % 16, y = t / 16;
  const float* const rowsOfA = a + size_t(blockIdx.y) * 128 * side;
  const float* const columnsOfB = b + blockIdx.x * 128;
  float sums[8][8] = {};
  for (unsigned k = 0; k < side; k += 8) {
    for (unsigned i = t; i < 1024; i += 256) {
      tileA[i] = rowsOfA[i / 8 * side + k + i % 8];
      tileB[i] = columnsOfB[(k + i / 128) * side + i % 128];
    }
    __syncthreads();
    for (unsigned j = 0; j < 8; ++j) {
      float ofA[8], ofB[8];
      for (unsigned r = 0; r < 8; ++r) ofA[r] = tileA[(y * 8 + r) * 8 + j];
      for (unsigned r = 0; r < 8; ++r) ofB[r] = tileB[j * 128 + x * 8 + r];
      for (unsigned r = 0; r < 8; ++r)
        for (unsigned s = 0; s < 8; ++s) sums[r][s] += ofA[r] * ofB[s];
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < 8; ++r)
    for (unsigned s = 0; s < 8; ++s)
      c[(blockIdx.y * 128 + y * 8 + r) * side + blockIdx.x * 128 + x * 8 + s] = sums[r][s];
}

// ---- Transpositions, in blocks of 32 × 8 threads.

__global__ void transposeFromRows(const unsigned* x, unsigned* y, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  y[size_t(column) * side + row] = x[size_t(row) * side + column];
}
__global__ void transposeToRows(const unsigned* x, unsigned* y, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  y[size_t(row) * side + column] = x[size_t(column) * side + row];
}
template <unsigned pitch>
__global__ void transposeInTiles(const unsigned* x, unsigned* y, unsigned side) {
  __shared__ unsigned tile[32][pitch];
  const unsigned left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (unsigned k = threadIdx.y; k < 32; k += 8)
    tile[k][threadIdx.x] = x[size_t(top + k) * side + left + threadIdx.x];
  __syncthreads();
  for (unsigned k = threadIdx.y; k < 32; k += 8)
    y[size_t(left + k) * side + top + threadIdx.x] = tile[threadIdx.x][k];
}

// ---- Stencils; beyond an edge is the other end.

__global__ void stencilOfThree(const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[(i - 1) % n] + x[i] + x[(i + 1) % n];
}
__global__ void stencilOfNine(const float* x, float* y, unsigned n) {
  __shared__ float near[256 + 8];
  const unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  near[t + 4] = x[i];
  if (t < 4) near[t] = x[(i - 4) % n];
  if (t >= 252) near[t + 8] = x[(i + 4) % n];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum += near[t + k];
  y[i] = sum;
}
__global__ void stencilOfPlane(const float* x, float* y, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const unsigned last = side - 1, i = row * side + column;
  if (row == 0 || column == 0 || row == last || column == last) return;
  y[i] = x[i] + x[i - 1] + x[i + 1] + x[i - side] + x[i + side];
}
__global__ void stencilOfSpace(const float* x, float* y, unsigned side) {
  const unsigned column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const unsigned layer = blockIdx.z, last = side - 1, plane = side * side;
  const unsigned i = layer * plane + row * side + column;
  if (layer == 0 || row == 0 || column == 0 || layer == last || row == last || column == last)
    return;
  y[i] = x[i] + x[i - 1] + x[i + 1] + x[i - side] + x[i + side] + x[i - plane] + x[i + plane];
}

}  // namespace development
