// Lesson 08: the library. CUB's parts in our kernels, and its whole reduction. GPU only.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include "block_sum.cuh"
#include "cuda/device_array.h"

// cub::WarpReduce instead of warpSum. A warp of the block needs a TempStorage of its own.
__global__ void segmentsCub(const int* data, int* sums, size_t n) {
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ WarpReduce::TempStorage storage[32];
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int sum = WarpReduce(storage[threadIdx.x / 32]).Sum(i < n ? data[i] : 0);
  if (threadIdx.x % 32 == 0 && i < n) sums[i / 32] = sum;  // the result is in lane 0 only
}

// cub::BlockReduce instead of blockSum. The block size is known to the compiler, as in lesson 07.
template <unsigned blockSize>
__global__ void unroll8Cub(int* data, int* blockSums, size_t n) {
  using BlockReduce = cub::BlockReduce<int, blockSize>;
  __shared__ typename BlockReduce::TempStorage storage;
  const int sum = BlockReduce(storage).Sum(eightElements(data, n));
  if (threadIdx.x == 0) blockSums[blockIdx.x] = sum;  // in thread 0 only
}

void (*unroll8CubFor(unsigned block))(int* data, int* blockSums, size_t n) {
  switch (block) {
    case 32: return unroll8Cub<32>;
    case 64: return unroll8Cub<64>;
    case 128: return unroll8Cub<128>;
    case 256: return unroll8Cub<256>;
    case 512: return unroll8Cub<512>;
    case 1024: return unroll8Cub<1024>;
    default: return nullptr;
  }
}

// The whole reduction by cub::DeviceReduce: first ask how much temporary storage it needs, then
// call it again with that much. The result stays on the device until it is fetched.
long long librarySumOf(const int* data, int n) {
  size_t bytes = 0;
  DeviceArray<long long> sum(1, "the sum");
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, data, sum.data(), n));
  DeviceArray<char> storage(bytes, "CUB's temporary storage");
  CUDA_CHECK(cub::DeviceReduce::Sum(storage.data(), bytes, data, sum.data(), n));
  long long result = 0;
  sum.copyToHost(&result, 1);
  return result;
}

int libraryMaximumOf(const int* data, int n) {
  size_t bytes = 0;
  DeviceArray<int> maximum(1, "the maximum");
  CUDA_CHECK(cub::DeviceReduce::Max(nullptr, bytes, data, maximum.data(), n));
  DeviceArray<char> storage(bytes, "CUB's temporary storage");
  CUDA_CHECK(cub::DeviceReduce::Max(storage.data(), bytes, data, maximum.data(), n));
  int result = 0;
  maximum.copyToHost(&result, 1);
  return result;
}
