#include "testing_kernels.h"

#include <cooperative_groups.h>

#include "block_sum.cuh"
#include "single_pass.cuh"

template <>
auto SinglePassKernel<Forgetful, int>::pointer() -> Pointer {
  return singlePass<Forgetful, int>;
}

__global__ void losesTheLast(const int* data, int* sums, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int sum = warpSum(i < n ? data[i] : 0);
  if (threadIdx.x % 32 == 0 && i < n) sums[i / 32] = i + 32 < n ? sum : sum + 1;
}

__global__ void whoIsLast(unsigned* done, unsigned* last) {
  if (threadIdx.x == 0 && atomicAdd(done, 1u) == gridDim.x - 1) *last = blockIdx.x;
}

__global__ void readsBeforeTheBarrier(long long* blockTotals, long long* total) {
  if (threadIdx.x == 0) blockTotals[blockIdx.x] = blockIdx.x;
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = blockTotals[gridDim.x - 1];
  cooperative_groups::this_grid().sync();
}
