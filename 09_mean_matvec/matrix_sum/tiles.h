// The tiles of a matrix.
#pragma once

#include "cuda/kernel.h"

constexpr unsigned side = 16;  // of a tile

__host__ __device__ constexpr unsigned tilesAlong(unsigned length) {
  return length / side + (length % side != 0);
}
