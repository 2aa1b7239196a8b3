// A solution of lesson 09's exercise: a lane for each column, and the rows dealt out to the warps.
#pragma once

#include "cuda/kernel.h"

// A warp's lanes read 32 neighbours in a row, whatever the row. Each warp leaves 32 partial sums,
// one for each column, and the first warp adds up those of the 16 warps.
__global__ void solution(const double* matrix, double* means, unsigned rows, unsigned columns) {
  __shared__ double partial[16][32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned column = 32 * blockIdx.x + lane;

  double sum = 0;
  if (column < columns) {
    for (unsigned row = warp; row < rows; row += 16) sum += matrix[size_t(row) * columns + column];
  }
  partial[warp][lane] = sum;
  __syncthreads();

  if (warp == 0 && column < columns) {
    sum = 0;
    for (unsigned k = 0; k < 16; ++k) sum += partial[k][lane];
    means[column] = sum / rows;
  }
}
