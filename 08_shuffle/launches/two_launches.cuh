// Lesson 08, further: the same sum in two launches, and a second one that begins early.
#pragma once

#include "../single_pass.cuh"

// Programmatic dependent launch (Hopper and later): where the second launch asks for it, its blocks
// may begin when every block of the first has called the one, and wait at the other until all of
// the first has ended and what it wrote can be read. Else both do nothing.
__device__ inline void letNextLaunchBegin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ inline void waitForLaunchBefore() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

// The first launch leaves a total for each block.
__global__ void __launch_bounds__(512)
    totalsOfBlocks(const int* data, size_t n, long long* blockTotals) {
  letNextLaunchBegin();
  const long long sum = blockTotal<Sum<long long>>(threadTotal<Sum<long long>>(data, n));
  if (threadIdx.x == 0) blockTotals[blockIdx.x] = sum;
}

// The second, of one block, adds them up. The end of a launch is the oldest barrier of a grid.
__global__ void __launch_bounds__(512)
    totalOfTotals(const long long* blockTotals, unsigned count, long long* total) {
  waitForLaunchBefore();
  long long sum = 0;
  for (unsigned block = threadIdx.x; block < count; block += blockDim.x) sum += blockTotals[block];
  sum = blockTotal<Sum<long long>>(sum);
  if (threadIdx.x == 0) *total = sum;
}
