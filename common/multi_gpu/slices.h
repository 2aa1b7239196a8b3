// How an array is divided among GPUs.
#pragma once

#include "cuda/kernel.h"

// The array has so many chunks, however many GPUs there are, and a GPU takes neighbouring ones. So
// a floating-point sum that adds up chunk by chunk has the same bits on any number of GPUs. 1 to 6,
// 8, 10, 12, 15 and 16 can share them equally.
inline constexpr unsigned chunkCount = 240;

// The first of n elements that is in this chunk, or n behind the last. Chunks begin at multiples of
// 32 elements, so that in each its first load is as well aligned as in the first.
__host__ __device__ inline size_t chunkBegin(size_t n, unsigned chunk) {
  const size_t groups = (n + 31) / 32;
  const size_t begin =
      32 * (groups / chunkCount * chunk + groups % chunkCount * chunk / chunkCount);
  return begin < n ? begin : n;
}

// What one of so many GPUs takes of n elements.
struct Slice {
  unsigned firstChunk, chunks;
  size_t begin, count;  // of elements
};

inline Slice sliceOf(size_t n, unsigned gpu, unsigned gpus) {
  const unsigned first = chunkCount * gpu / gpus, next = chunkCount * (gpu + 1) / gpus;
  const size_t begin = chunkBegin(n, first);
  return {first, next - first, begin, chunkBegin(n, next) - begin};
}
