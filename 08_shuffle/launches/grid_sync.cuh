// Lesson 08, further: blocks that wait for each other, in a launch that promises that all are on
// the GPU at once.
#pragma once

#include <cooperative_groups.h>

#include "../single_pass.cuh"

// Changed since singlePass: no counter finds the last block; all wait until all have left their
// totals, and the first adds them up. The launch must be cooperative, and the grid no larger than
// what the GPU holds at once. A barrier of the grid is also one of the block, so blockTotal can be
// called again.
//
// Look at: atomics, none, and barriers.
__global__ void __launch_bounds__(512)
    gridSyncSum(const int* data, size_t n, long long* blockTotals, long long* total) {
  using Operator = Sum<long long>;
  long long sum = blockTotal<Operator>(threadTotal<Operator>(data, n));
  if (threadIdx.x == 0) blockTotals[blockIdx.x] = sum;
  cooperative_groups::this_grid().sync();

  if (blockIdx.x > 0) return;
  sum = 0;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
    sum += blockTotals[block];
  sum = blockTotal<Operator>(sum);
  if (threadIdx.x == 0) *total = sum;
}
