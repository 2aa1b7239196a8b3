// Lesson 09, second program: the sum of a whole matrix in rounds. A round makes one value of every
// tile of 16 × 16, so the matrix shrinks by 16 both ways, until one value is left.
#pragma once

#include "tiles.h"

// A thread for each element: a block adds up its tile together, in shared memory, first along the
// rows and then down the first column. Blocks of 16 × 16, one for each tile.
__global__ void inner(const float* in, float* out, unsigned height, unsigned width) {
  __shared__ float tile[side][side];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x % tilesAlong(width) * side + x;
  const unsigned row = blockIdx.x / tilesAlong(width) * side + y;
  tile[y][x] = row < height && column < width ? in[size_t(row) * width + column] : 0;
  __syncthreads();
  for (unsigned stride = side / 2; stride > 0; stride /= 2) {
    if (x < stride) tile[y][x] += tile[y][x + stride];
    __syncthreads();
  }
  for (unsigned stride = side / 2; stride > 0; stride /= 2) {
    if (x == 0 && y < stride) tile[y][0] += tile[y + stride][0];
    __syncthreads();
  }
  if (x == 0 && y == 0) out[blockIdx.x] = tile[0][0];
}

// A thread for each tile: it adds up the 256 elements one after the other. Nothing is shared, and
// nobody waits.
__global__ void outer(const float* in, float* out, unsigned height, unsigned width) {
  const size_t tile = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (tile >= size_t(tilesAlong(width)) * tilesAlong(height)) return;
  const unsigned left = tile % tilesAlong(width) * side, top = tile / tilesAlong(width) * side;
  float sum = 0;
  for (unsigned y = top; y < min(height, top + side); ++y)
    for (unsigned x = left; x < min(width, left + side); ++x) sum += in[size_t(y) * width + x];
  out[tile] = sum;
}
