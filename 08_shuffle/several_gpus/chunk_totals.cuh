// Lesson 08: a sum in chunks that do not depend on how many GPUs share them. Two launches on each
// GPU, and every chunk's total is in its place, whoever made it.
#pragma once

#include "../single_pass.cuh"
#include "multi_gpu/slices.h"

// Changed since singlePass: a row of blocks (blockIdx.y) for each chunk of this GPU's slice, one
// tile for each block, and nobody waits for the last one. n is the length of the whole array; slice
// begins with element chunkBegin(n, firstChunk) of it.
template <typename Operator, typename T, typename Value = typename Operator::Value>
__global__ void __launch_bounds__(1024)
    tileTotals(const T* slice, size_t n, unsigned firstChunk, Value* totals) {
  const unsigned chunk = firstChunk + blockIdx.y;
  const size_t begin = chunkBegin(n, chunk), count = chunkBegin(n, chunk + 1) - begin;
  const T* const data = slice + (begin - chunkBegin(n, firstChunk));
  const Value value = blockTotal<Operator>(threadTotal<Operator>(data, count));
  if (threadIdx.x == 0) totals[size_t(blockIdx.y) * gridDim.x + blockIdx.x] = value;
}

// A block for each of all chunks. Those of this GPU are added up, always in the same order; those
// of the others get the identity, so that combining what all GPUs have changes nothing but their
// place.
template <typename Operator, typename Value = typename Operator::Value>
__global__ void chunkTotals(const Value* tileTotals, unsigned tilesPerChunk, unsigned firstChunk,
                            unsigned chunks, Value* totals) {
  const unsigned mine = blockIdx.x - firstChunk;  // beyond chunks for those of GPUs before
  Value value = Operator::identity;
  if (mine < chunks)
    for (unsigned tile = threadIdx.x; tile < tilesPerChunk; tile += blockDim.x)
      value = Operator::combine(value, tileTotals[size_t(mine) * tilesPerChunk + tile]);
  value = blockTotal<Operator>(value);
  if (threadIdx.x == 0) totals[blockIdx.x] = value;
}
