// Frozen set: histograms, atomics, bytes and text.
#pragma once

#include "words.cuh"

namespace frozen {

// ---- Histograms of 256 bins. Values: bytes of x, or 7 in three of four cases.

__host__ __device__ inline unsigned evenBin(unsigned v) { return v & 255; }
__host__ __device__ inline unsigned skewedBin(unsigned v) { return (v >> 8) % 4 ? 7 : v & 255; }

__global__ void countInGlobal(const unsigned* x, unsigned* bins, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[evenBin(x[i])], 1u);
}

// 256 threads for 8,192 values; each of the eight warps has bins of its own.
template <bool skewed>
__global__ void countPerWarp(const unsigned* x, unsigned* bins) {
  __shared__ unsigned mine[8][256];
  for (unsigned w = 0; w < 8; ++w) mine[w][threadIdx.x] = 0;
  __syncthreads();
  const size_t first = size_t(blockIdx.x) * 8192;
  for (unsigned k = threadIdx.x; k < 8192; k += 256) {
    const unsigned v = x[first + k];
    atomicAdd(&mine[threadIdx.x / 32][skewed ? skewedBin(v) : evenBin(v)], 1u);
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned w = 0; w < 8; ++w) sum += mine[w][threadIdx.x];
  if (sum > 0) atomicAdd(&bins[threadIdx.x], sum);
}

// 64 threads count 16 kinds each in bytes of their own, 128 values at a time: no atomics.
__global__ void countInBytes(const unsigned* x, unsigned* bins) {
  __shared__ unsigned char mine[16][64];
  for (unsigned b = 0; b < 16; ++b) mine[b][threadIdx.x] = 0;
  const size_t first = size_t(blockIdx.x) * 8192;
  for (unsigned k = threadIdx.x; k < 8192; k += 64) ++mine[x[first + k] & 15][threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 16) return;
  unsigned sum = 0;
  for (unsigned t = 0; t < 64; ++t) sum += mine[threadIdx.x][t];
  atomicAdd(&bins[threadIdx.x], sum);
}

// ---- Atomics.

__global__ void addToOne(const unsigned* x, unsigned* total, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, x[i] & 3);
}

__global__ void addToOneFloat(float* total, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, 1.0f);
}

// The largest of the elements that share a place among mask + 1.
__global__ void largestOfMany(const unsigned* x, unsigned* largest, unsigned mask, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&largest[(x[i] >> 4) & mask], x[i]);
}

__host__ __device__ inline bool isWanted(unsigned v) { return v % 3 == 0; }

// How many are wanted: each asks for a place, or one lane for its warp, which votes.
__global__ void compactEach(const unsigned* x, unsigned* y, unsigned* count, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n && isWanted(x[i])) y[atomicAdd(count, 1u)] = x[i];
}

__global__ void compactByWarp(const unsigned* x, unsigned* y, unsigned* count, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const bool wanted = i < n && isWanted(x[i]);
  const unsigned all = __ballot_sync(~0u, wanted);
  unsigned first = 0;
  if (lane == 0 && all != 0) first = atomicAdd(count, unsigned(__popc(all)));
  first = __shfl_sync(~0u, first, 0);
  if (wanted) y[first + unsigned(__popc(all & ((1u << lane) - 1)))] = x[i];
}

// ---- Bytes and text.

__host__ __device__ inline unsigned char upperCase(unsigned char c) {
  return c >= 'a' && c <= 'z' ? static_cast<unsigned char>(c - 32) : c;
}

__global__ void upperByteEach(const unsigned char* x, unsigned char* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = upperCase(x[i]);
}

__global__ void upperSixteenEach(const uint4* x, uint4* y, size_t sixteens) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= sixteens) return;
  const uint4 v = x[i];
  unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (unsigned w = 0; w < 4; ++w) {
    unsigned text = 0;
#pragma unroll
    for (unsigned shift = 0; shift < 32; shift += 8)
      text |= unsigned(upperCase(static_cast<unsigned char>(words[w] >> shift))) << shift;
    words[w] = text;
  }
  y[i] = make_uint4(words[0], words[1], words[2], words[3]);
}

// Words begin where a small letter follows something else; a block of 256 counts its own.
__global__ void wordsOfBlock(const unsigned char* x, unsigned* words, size_t n) {
  const size_t i = size_t(blockIdx.x) * 256 + threadIdx.x;
  const auto isLetter = [&](size_t at) { return x[at] >= 'a' && x[at] <= 'z'; };
  const bool begins = i < n && isLetter(i) && (i == 0 || !isLetter(i - 1));
  const int count = __syncthreads_count(begins);
  if (threadIdx.x == 0) words[blockIdx.x] = unsigned(count);
}

// A checksum of 64 bytes in a row for each thread, byte after byte.
__global__ void checksumOfLines(const unsigned char* x, unsigned* sums, size_t lines) {
  const size_t line = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  unsigned low = 1, high = 0;
  for (unsigned k = 0; k < 64; ++k) {
    low = (low + x[line * 64 + k]) % 65521;
    high = (high + low) % 65521;
  }
  sums[line] = high << 16 | low;
}

}  // namespace frozen
