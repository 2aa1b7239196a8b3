// Block sums for lesson_test: right, wrong and faulty.
#include "test_support/block_sums.h"

__global__ void right(int* data, int* blockSums, size_t n) {
  addUpByOneThread(data, blockSums, n, 0);
}
__global__ void wrong(int* data, int* blockSums, size_t n) {
  addUpByOneThread(data, blockSums, n, 1);
}
__global__ void behindTheEnd(int* data, int* blockSums, size_t n) {
  if (threadIdx.x == 0) blockSums[blockIdx.x] = data[n];
}

// The right sums where the thread that writes something else comes first.
__global__ void racing(int* data, int* blockSums, size_t n) {
  if (threadIdx.x == 0) blockSums[blockIdx.x] = -1;
  if (threadIdx.x == 32) {
    int sum = 0;
    const size_t first = size_t(blockIdx.x) * blockDim.x;
    for (size_t i = first; i < min(n, first + blockDim.x); ++i) sum += data[i];
    blockSums[blockIdx.x] = sum;
  }
}
