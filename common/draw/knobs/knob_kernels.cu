#include "draw/knobs/knob_kernels.h"

#include <algorithm>
#include <stdexcept>

#include "cuda/device_array.h"
#include "cuda/launch.h"

namespace {

// Every thread has so many loads in flight, then adds up, and loads the next ones.
template <unsigned inFlight>
__global__ void readInFlight(const int* data, size_t n, int* sink) {
  const size_t tile = size_t(inFlight) * blockDim.x;
  int sum = 0;
  for (size_t i = blockIdx.x * tile + threadIdx.x; i + (inFlight - 1) * blockDim.x < n;
       i += gridDim.x * tile) {
    int v[inFlight];
#pragma unroll
    for (unsigned k = 0; k < inFlight; ++k) v[k] = data[i + k * blockDim.x];
#pragma unroll
    for (unsigned k = 0; k < inFlight; ++k) sum ^= v[k];
  }
  if (sum == 123456789) *sink = sum;
}

__global__ void readStrided(const int* data, unsigned stride, int* sink) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t threads = size_t(gridDim.x) * blockDim.x;
  int sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) sum ^= data[(i + k * threads) * stride];
  if (sum == 123456789) *sink = 1;
}

constexpr unsigned rounds = 64;  // of the loop, in every thread

}  // namespace

namespace knobs {

uint64_t bytesRead(unsigned multiprocessors, unsigned warps, unsigned loads) {
  return uint64_t(multiprocessors) * warps * 32 * loads * rounds * sizeof(int);
}

void launchReading(unsigned multiprocessors, unsigned warps, unsigned loads) {
  const size_t n = bytesRead(multiprocessors, warps, loads) / sizeof(int);
  const unsigned threads = std::min(32 * warps, 256u);
  const dim3 grid(multiprocessors * (32 * warps / threads)), block(threads);
  const DeviceArray<int> data(n, "data"), sink(1, "sink");
  const auto with = [&](void (*kernel)(const int*, size_t, int*)) {
    launch(grid, block, kernel, data.data(), n, sink.data());
  };
  switch (loads) {
    case 1: return with(readInFlight<1>);
    case 2: return with(readInFlight<2>);
    case 4: return with(readInFlight<4>);
    case 8: return with(readInFlight<8>);
    case 16: return with(readInFlight<16>);
    default: throw std::invalid_argument("loads in flight: 1, 2, 4, 8 or 16");
  }
}

void launchStrided(unsigned stride) {
  const DeviceArray<int> data(stridedElements * stride, "data"), sink(1, "sink");
  launch(dim3(unsigned(stridedElements / 8 / 256)), dim3(256), readStrided, data.data(), stride,
         sink.data());
}

}  // namespace knobs
