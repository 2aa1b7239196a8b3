// Frozen set: arrays of a thread, constant memory, few threads, few blocks on a multiprocessor.
#pragma once

#include "words.cuh"

namespace frozen {

// ---- Arrays of a thread, with places that only the run knows.

// Sorts 24 elements of each thread; element k of all threads lies together.
__global__ void insertionSortEach(const unsigned* x, unsigned* y, size_t threads) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned v[24];
  for (unsigned k = 0; k < 24; ++k) {
    const unsigned mine = x[k * threads + i];
    unsigned at = k;
    for (; at > 0 && v[at - 1] > mine; --at) v[at] = v[at - 1];
    v[at] = mine;
  }
  for (unsigned k = 0; k < 24; ++k) y[k * threads + i] = v[k];
}

__global__ void countInLocalArray(const unsigned* x, unsigned* y, size_t threads) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned bins[16];
  for (unsigned b = 0; b < 16; ++b) bins[b] = 0;
  for (unsigned k = 0; k < 16; ++k) ++bins[x[k * threads + i] & 15];
  unsigned most = 0;
  for (unsigned b = 0; b < 16; ++b) most = max(most, bins[b]);
  y[i] = most;
}

// ---- Constant memory.

struct ConstantTable {
  float values[256];
};

constexpr ConstantTable tableOfWeights() {
  ConstantTable table{};
  for (unsigned k = 0; k < 256; ++k) table.values[k] = float(k * 37 % 256) / 256;
  return table;
}

CONSTANT_MEMORY ConstantTable weights = tableOfWeights();

// 64 weights a thread: the same for all lanes, or another for each.
__global__ void weightsTogether(const float* x, float* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (unsigned k = 0; k < 64; ++k) sum = sum * 0.5f + weights.values[k * 3 % 256];
  y[i] = sum;
}

__global__ void weightsApart(const float* x, float* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (unsigned k = 0; k < 64; ++k) sum = sum * 0.5f + weights.values[(k + threadIdx.x) % 256];
  y[i] = sum;
}

// ---- Few threads.

// One thread: what comes next needs what came before.
__global__ void oneThread(const unsigned* x, unsigned* y, unsigned count) {
  unsigned h = 1;
  for (unsigned k = 0; k < count; ++k) h = (h ^ x[k]) * 16777619u;
  *y = h;
}

// One warp adds up what a block could.
__global__ void oneWarp(const unsigned* x, unsigned* y, unsigned count) {
  unsigned sum = 0;
  for (unsigned k = threadIdx.x; k < count; k += 32) sum += x[k] & 255;
  for (unsigned delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(~0u, sum, delta);
  if (threadIdx.x == 0) *y = sum;
}

// The other threads of the block wait while the first adds up what they found.
__global__ void firstThreadAddsUp(const unsigned* x, unsigned* sums) {
  __shared__ unsigned found[256];
  found[threadIdx.x] = x[size_t(blockIdx.x) * 256 + threadIdx.x] & 255;
  __syncthreads();
  if (threadIdx.x > 0) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < 256; ++k) sum += found[k];
  sums[blockIdx.x] = sum;
}

// ---- Few blocks on a multiprocessor.

// The launch says how much shared memory a block has, of which 256 floats are used.
__global__ void turnInDynamicShared(const float* x, float* y) {
  DYNAMIC_SHARED(float, turned);
  const size_t first = size_t(blockIdx.x) * 256;
  turned[255 - threadIdx.x] = x[first + threadIdx.x];
  __syncthreads();
  y[first + threadIdx.x] = turned[threadIdx.x] + 1;
}

// So many values of a thread in registers at once: differences of all from their mean, squared.
template <unsigned count>
__global__ void varianceInRegisters(const float* x, float* y, size_t threads) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float v[count], sum = 0, squares = 0;
#pragma unroll
  for (unsigned k = 0; k < count; ++k) sum += v[k] = x[k * threads + i];
  const float mean = sum / count;
#pragma unroll
  for (unsigned k = 0; k < count; ++k) squares += (v[k] - mean) * (v[k] - mean);
  y[i] = squares / count;
}

// The launch gives each block another length of work: the last one's is the longest.
__global__ void longerAndLonger(const unsigned* x, unsigned* y, unsigned step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = x[i];
  for (unsigned k = 0; k < blockIdx.x * step; ++k) h = h * 1664525u + 1013904223u;
  y[i] = h;
}

}  // namespace frozen
