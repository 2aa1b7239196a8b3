// Exercise of lesson 09: the mean of every column of a matrix of rows × columns doubles, the rows
// one after the other in memory. The grid has a block of 512 threads, 16 warps, for every 32
// columns.
//
// Right, and made as version 3: a warp adds up a column. But what was coalesced along a row is not
// along a column. Hand the work out in another way, and keep all 16 warps busy. Goals,
// with 512 rows and with 160:
//     at most 256 load sectors per 1,000 elements, and a load request for each row;
//     at most 1 store request and 1 barrier per block;
//     at least 24 of the 32 lanes active per memory request, on average;
//     no warp loads more than 1.5 times its share of the elements.
#pragma once

#include "../08_shuffle/block_sum.cuh"
#include "cuda/kernel.h"

__global__ void exercise(const double* matrix, double* means, unsigned rows, unsigned columns) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const unsigned first = 32 * blockIdx.x, end = min(first + 32, columns);

  for (unsigned column = first + warp; column < end; column += warps) {
    double sum = 0;
    for (unsigned row = lane; row < rows; row += 32) sum += matrix[size_t(row) * columns + column];
    sum = warpSum(sum);
    if (lane == 0) means[column] = sum / rows;
  }
}
