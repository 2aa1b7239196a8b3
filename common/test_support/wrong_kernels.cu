#include "test_support/wrong_kernels.h"

#include "test_support/block_sums.h"

__global__ void forgetsTheFirst(int* data, int* blockSums, size_t n) {
  addUpByOneThread(data, blockSums, n, 1);
}

__global__ void readsBehindTheEnd(int* data, int* blockSums, size_t n) {
  if (threadIdx.x == 0) blockSums[0] = data[n];
}

__global__ void rangesWithABarrierInABranch(int* data, int* ranges, size_t n) {
  __shared__ int largest[1024];
  __shared__ int smallest[1024];
  const unsigned t = threadIdx.x;
  largest[t] = smallest[t] = data[min(size_t(blockIdx.x) * blockDim.x + t, n - 1)];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2)
    if (t % (2 * stride) == 0) {
      largest[t] = max(largest[t], largest[t + stride]);
      smallest[t] = min(smallest[t], smallest[t + stride]);
      __syncthreads();
    }
  if (t == 0) ranges[blockIdx.x] = largest[0] - smallest[0];
}

__global__ void fourSumsWithABarrierInABranch(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride >= 4; stride /= 2)
    if (t < stride) {
      block[t] += block[t + stride];
      __syncthreads();
    }
  if (t < 4) sums[4 * blockIdx.x + t] = block[t];
}

__global__ void neighboredLessWithoutItsBarrier(int* data, int* blockSums, size_t n) {
  const unsigned t = threadIdx.x;
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  const unsigned count = unsigned(min(n - first, size_t(blockDim.x)));
  int* const block = data + first;
  for (unsigned stride = 1; stride < count; stride *= 2) {
    const unsigned i = 2 * stride * t;
    if (i + stride < count) block[i] += block[i + stride];
  }
  if (t == 0) blockSums[blockIdx.x] = block[0];
}
