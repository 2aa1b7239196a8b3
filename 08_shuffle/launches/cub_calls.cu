#include "cub_calls.h"

#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#if __has_include(<cub/device/device_transform.cuh>)  // CUDA 12.8 and later
#include <cub/device/device_transform.cuh>
#else
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#endif
#include <cub/version.cuh>
#include <memory>
#include <string>

#include "cuda/device_array.h"

struct Square {
  __host__ __device__ long long operator()(int x) const { return (long long)(x)*x; }
};
struct SquareIn32Bits {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Plus {
  __host__ __device__ long long operator()(long long a, long long b) const { return a + b; }
};

const char* cubVersion() {
  static const std::string version = std::to_string(CUB_VERSION / 100000) + "." +
                                     std::to_string(CUB_VERSION / 100 % 1000) + "." +
                                     std::to_string(CUB_VERSION % 100);
  return version.c_str();
}

bool cubHasOneCall() { return CUB_VERSION >= 300100; }

#if CUB_VERSION >= 300100
// It takes its storage from the stream's memory pool, and gives it back.
void cubSumInOneCall(const int* data, size_t n, long long* total) {
  CUDA_CHECK(cub::DeviceReduce::Sum(data, total, int(n)));
}
#else
void cubSumInOneCall(const int*, size_t, long long*) {}
#endif

// The two calls, with storage that is kept: of the device then in use, for one stream.
// call(storage, bytes) is the one to be made twice.
template <typename Call>
static void inTwoCalls(const Call& call) {
  static std::unique_ptr<DeviceArray<char>> storage;
  size_t bytes = 0;
  CUDA_CHECK(call(nullptr, bytes));
  if (!storage || storage->size() < bytes)
    storage = std::make_unique<DeviceArray<char>>(bytes, "CUB's temporary storage");
  bytes = storage->size();
  CUDA_CHECK(call(storage->data(), bytes));
}

bool cubHasTransformReduce() { return CUB_VERSION >= 200400; }

#if CUB_VERSION >= 200400
void cubTransformReduce(const int* data, size_t n, long long* total) {
  inTwoCalls([=](void* storage, size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, data, total, int(n), Plus(), Square(),
                                              0ll);
  });
}
#else
void cubTransformReduce(const int*, size_t, long long*) {}
#endif

void cubSumOfIterator(const int* data, size_t n, long long* total) {
  inTwoCalls([=](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, thrust::make_transform_iterator(data, Square()),
                                  total, int(n));
  });
}

void cubTransformThenSum(const int* data, size_t n, int* squares, long long* total) {
#if __has_include(<cub/device/device_transform.cuh>)
  CUDA_CHECK(cub::DeviceTransform::Transform(data, squares, int(n), SquareIn32Bits()));
#else
  thrust::transform(thrust::cuda::par_nosync, data, data + n, squares, SquareIn32Bits());
#endif
  inTwoCalls([=](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, squares, total, int(n));
  });
}
