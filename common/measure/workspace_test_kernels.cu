// Sums for workspace_test: right, wrong and faulty.
#include "cuda/kernel.h"

// One thread adds up four elements for each thread of the block.
__global__ void rightSums(int* data, int* blockSums, size_t n) {
  if (threadIdx.x > 0) return;
  const size_t first = size_t(blockIdx.x) * blockDim.x * 4;
  int sum = 0;
  for (size_t i = first; i < min(n, first + blockDim.x * 4); ++i) sum += data[i];
  blockSums[blockIdx.x] = sum;
}

// The same, and leaves the input in ruins.
__global__ void ruinousSums(int* data, int* blockSums, size_t n) {
  rightSums(data, blockSums, n);
  __syncthreads();
  if (threadIdx.x == 0) data[size_t(blockIdx.x) * blockDim.x * 4] = -1000;
}

__global__ void noSums(int*, int*, size_t) {}

__global__ void readsBehindTheEnd(int* data, int* blockSums, size_t n) {
  if (threadIdx.x == 0) blockSums[0] = data[n];
}

__global__ void oneTotal(const int* data, size_t n, long long* total) {
  if (threadIdx.x > 0) return;
  long long sum = 0;
  for (size_t i = 0; i < n; ++i) sum += data[i];
  *total = sum;
}
