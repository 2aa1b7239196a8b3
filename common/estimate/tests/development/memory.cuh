// Requests to memory of many shapes, and atomics.
#pragma once

#include "words.cuh"

namespace development {

// Four loads of a thread, each a stride from its neighbour's.
__global__ void loadsApart(const unsigned* x, unsigned* y, unsigned threads, unsigned stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum += x[size_t(i + k * threads) * stride];
  y[i] = sum;
}

__global__ void storesApart(unsigned* y, unsigned stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[size_t(i) * stride] = i;
}

// Elements of 1 to 16 bytes, one a thread.
template <typename T>
__global__ void copyOf(const T* x, T* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

template <typename T>
__global__ void addProduct(const T* x, T* y, T a) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

// Few threads, each with a stretch of memory to add up: so many loads are in flight.
template <unsigned by>
__global__ void unrolledSum(const unsigned* x, unsigned* y, unsigned n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  unsigned sum = 0;
#pragma unroll by
  for (unsigned i = first; i < n; i += threads) sum += x[i];
  y[first] = sum;
}

// What lies first, then twice as far, and so on.
__global__ void twiceAsFar(const unsigned* x, unsigned* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned stride = 1; stride < n; stride *= 2) sum += x[(i + stride) % n];
  y[i] = sum;
}
template <unsigned n>
__global__ void twiceAsFarOf(const unsigned* x, unsigned* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned stride = 1; stride < n; stride *= 2) sum += x[(i + stride) % n];
  y[i] = sum;
}

// A stretch of memory again and again: in each round a block reads another part of it.
__global__ void readAgain(const uint4* x, unsigned* y, unsigned n, unsigned rounds) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  unsigned sum = 0;
  for (unsigned r = 0; r < rounds; ++r)
    for (unsigned i = first; i < n; i += threads) {
      const uint4 v = x[(i + r * 5 * blockDim.x) % n];
      sum += v.x + v.y + v.z + v.w;
    }
  y[first] = sum;
}
// Each block its own 16 KiB, which stay in L1.
__global__ void readOwnAgain(const uint4* x, unsigned* y, unsigned rounds) {
  const uint4* const mine = x + blockIdx.x * 1024;
  unsigned sum = 0;
  for (unsigned r = 0; r < rounds; ++r)
    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
      const uint4 v = mine[(i + 32 * r) % 1024];
      sum += v.x + v.y + v.z + v.w;
    }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void gather(const unsigned* x, const unsigned* places, unsigned* y, unsigned within) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  y[i] = x[places[i] % within];
}
// within is a power of two: no two threads write the same place.
__global__ void scatter(unsigned* y, unsigned within) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i * 2654435761u % within] = i;
}

// ---- Atomics.

template <typename T>
__global__ void countOne(T* counter) {
  atomicAdd(counter, T(1));
}
template <typename T>
__global__ void countFew(T* counters, unsigned addresses) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(counters + i % addresses, T(1));
}
__global__ void countAnywhere(const unsigned* x, unsigned* counters, unsigned addresses) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  atomicAdd(counters + x[i] % addresses, 1u);
}
// One warp, time and again.
template <typename T>
__global__ void warpCounts(T* counter, unsigned times) {
  for (unsigned k = 0; k < times; ++k) atomicAdd(counter, T(1));
}
__global__ void countInShared(const unsigned* x, unsigned* counters) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const size_t first = size_t(blockIdx.x) * 2048 + threadIdx.x;
  for (unsigned k = 0; k < 8; ++k) atomicAdd(&mine[x[first + 256 * k] % 256], 1u);
  __syncthreads();
  atomicAdd(&counters[threadIdx.x], mine[threadIdx.x]);
}

// ---- Rows and columns of a matrix.

__global__ void rowsByBlock(const unsigned* x, unsigned* y, unsigned columns) {
  __shared__ unsigned sums[256];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned c = t; c < columns; c += 256) sum += x[size_t(blockIdx.x) * columns + c];
  sums[t] = sum;
  __syncthreads();
  for (unsigned d = 128; d > 0; d /= 2) {
    if (t < d) sums[t] += sums[t + d];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}
__global__ void rowsByWarp(const unsigned* x, unsigned* y, unsigned columns) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  unsigned sum = 0;
  for (unsigned c = lane; c < columns; c += 32) sum += x[size_t(row) * columns + c];
  for (unsigned d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[row] = sum;
}
__global__ void rowsByThread(const unsigned* x, unsigned* y, unsigned columns) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned c = 0; c < columns; ++c) sum += x[size_t(row) * columns + c];
  y[row] = sum;
}
__global__ void columnsByThread(const unsigned* x, unsigned* y, unsigned rows, unsigned columns) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned r = 0; r < rows; ++r) sum += x[size_t(r) * columns + column];
  y[column] = sum;
}
// 32 columns of a block, by 32 warps.
__global__ void columnsByBlock(const unsigned* x, unsigned* y, unsigned rows, unsigned columns) {
  __shared__ unsigned sums[32][33];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned column = blockIdx.x * 32 + lane;
  unsigned sum = 0;
  for (unsigned r = warp; r < rows; r += 32) sum += x[size_t(r) * columns + column];
  sums[lane][warp] = sum;
  __syncthreads();
  sum = sums[warp][lane];
  for (unsigned d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0) y[blockIdx.x * 32 + warp] = sum;
}

}  // namespace development
