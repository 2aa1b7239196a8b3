// Microbenchmarks of the whole card, timed by events: memory, L2, launches and the start of blocks.
#pragma once

#include "cuda/kernel.h"

__global__ void empty() {}

// For so many cycles of every block.
__global__ void waitCycles(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

// Little's law: every thread has so many loads in flight, then adds up and loads the next ones.
// Dynamic shared memory, which the kernel does not use, sets how many blocks are resident.
template <typename T, unsigned inFlight>
__global__ void readMemory(const T* data, size_t n, int* sink) {
  const size_t tile = size_t(inFlight) * blockDim.x;
  int sum = 0;
  for (size_t i = blockIdx.x * tile + threadIdx.x; i + (inFlight - 1) * blockDim.x < n;
       i += gridDim.x * tile) {
    T v[inFlight];
#pragma unroll
    for (unsigned k = 0; k < inFlight; ++k) v[k] = data[i + k * blockDim.x];
#pragma unroll
    for (unsigned k = 0; k < inFlight; ++k) {
      if constexpr (sizeof(T) == 16)
        sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
      else
        sum ^= int(v[k]);
    }
  }
  if (sum == 123456789) *sink = sum;
}

// The same, and every thread writes what it has loaded: to another array, or in place.
template <unsigned inFlight>
__global__ void copyMemory(const int* from, int* to, size_t n) {
  const size_t tile = size_t(inFlight) * blockDim.x;
  for (size_t i = blockIdx.x * tile + threadIdx.x; i + (inFlight - 1) * blockDim.x < n;
       i += gridDim.x * tile) {
    int v[inFlight];
#pragma unroll
    for (unsigned k = 0; k < inFlight; ++k) v[k] = from[i + k * blockDim.x];
#pragma unroll
    for (unsigned k = 0; k < inFlight; ++k) to[i + k * blockDim.x] = v[k] + 1;
  }
}

// Streams that are read and streams that are written, side by side.
template <unsigned reads, unsigned writes>
__global__ void streams(const int4* from, int4* to, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int4 x = make_int4(int(i), 1, 2, 3);
  if constexpr (reads > 0) {
#pragma unroll
    for (unsigned r = 0; r < reads; ++r) {
      const int4 v = from[r * n + i];
      x = make_int4(x.x ^ v.x, x.y ^ v.y, x.z ^ v.z, x.w ^ v.w);
    }
  }
  if constexpr (writes > 0) {
#pragma unroll
    for (unsigned w = 0; w < writes; ++w) to[w * n + i] = x;
  } else if (x.x == 123456789 && x.y == x.z) {
    to[0] = x;  // never: the compiler must believe that the values matter
  }
}

// Every element is read and written where it is.
__global__ void inPlace(int4* data, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int4 v = data[i];
  data[i] = make_int4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
}

// Consecutive warps write consecutive columns: the 32 elements of a request lie a row apart.
__global__ void writeScattered(int* data, unsigned rows, unsigned columns) {
  const size_t warp = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  const size_t column = warp % columns, row = warp / columns * 32 + lane;
  if (row < rows) data[row * columns + column] = int(warp);
}

// The same places, read.
__global__ void readScattered(const int* data, unsigned rows, unsigned columns, int* sink) {
  const size_t warp = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  const size_t column = warp % columns, row = warp / columns * 32 + lane;
  if (row < rows && data[row * columns + column] == 123456789) *sink = 1;
}

// Pieces of so many words at random places, each read by as many neighbouring lanes.
__global__ void readRandom(const int* data, size_t pieces, unsigned words, int* sink) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    unsigned long long x =
        (thread / words + (unsigned long long)k * gridDim.x * blockDim.x) * 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    sum ^= data[(x >> 32) % pieces * words + thread % words];
  }
  if (sum == 123456789) *sink = sum;
}

// A word of each thread, so many words from its neighbour's.
__global__ void readApart(const int* data, size_t stride, int* sink) {
  const size_t thread = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (data[thread * stride] == 123456789) *sink = 1;
}

// Warps write parts of sectors: so many of their lanes, neighbours in memory.
__global__ void writeParts(int* data, unsigned lanes) {
  const size_t warp = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  // A request has 32 / lanes pieces; the warps that fill the same sectors come one after the other.
  const size_t pieces = 32 / lanes, group = warp / pieces, part = warp % pieces;
  data[(group * pieces + lane / lanes) * 32 + part * lanes + lane % lanes] = int(warp);
}

// The whole array, times over.
__global__ void readAgain(const int4* data, size_t n, unsigned times, int* sink) {
  int sum = 0;
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  for (unsigned time = 0; time < times; ++time) {
#pragma unroll 4
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
      int4 v;
      asm volatile("ld.global.cg.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                   : "l"(data + i));
      sum ^= v.x ^ v.y ^ v.z ^ v.w;
    }
  }
  if (sum == 123456789) *sink = sum;
}

// One update per warp, or per lane, of one address or of many.
__global__ void atomics(unsigned* data, unsigned addresses, unsigned stride, unsigned lanes) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 < lanes) atomicAdd(data + thread % addresses * stride, 1u);
}
