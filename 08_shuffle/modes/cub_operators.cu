// cub::DeviceReduce for every operator and type that --operators compares with.
#include "cub_operators.h"

#include <cub/device/device_reduce.cuh>
#include <memory>

#include "../single_pass.cuh"
#include "cuda/device_array.h"

template <typename T>
struct Times {
  __device__ T operator()(T a, T b) const { return a * b; }
};

template <typename Operator, typename T>
static cudaError_t reduce(void* storage, size_t& bytes, const T* data, int n, T* total) {
  if constexpr (std::is_same_v<Operator, Sum<T>>)
    return cub::DeviceReduce::Sum(storage, bytes, data, total, n);
  else if constexpr (std::is_same_v<Operator, Minimum<T>>)
    return cub::DeviceReduce::Min(storage, bytes, data, total, n);
  else if constexpr (std::is_same_v<Operator, Maximum<T>>)
    return cub::DeviceReduce::Max(storage, bytes, data, total, n);
  else
    return cub::DeviceReduce::Reduce(storage, bytes, data, total, n, Times<T>(), T(1));
}

template <typename Operator, typename T>
void cubReduce(const T* data, int n, T* total) {
  // Kept: of the device then in use, for one stream.
  static std::unique_ptr<DeviceArray<char>> storage;
  size_t bytes = 0;
  CUDA_CHECK((reduce<Operator, T>(nullptr, bytes, data, n, total)));
  if (!storage || storage->size() < bytes)
    storage = std::make_unique<DeviceArray<char>>(bytes, "CUB's temporary storage");
  bytes = storage->size();
  CUDA_CHECK((reduce<Operator, T>(storage->data(), bytes, data, n, total)));
}

#define ALL_OPERATORS(T)                                     \
  template void cubReduce<Sum<T>, T>(const T*, int, T*);     \
  template void cubReduce<Minimum<T>, T>(const T*, int, T*); \
  template void cubReduce<Maximum<T>, T>(const T*, int, T*); \
  template void cubReduce<Product<T>, T>(const T*, int, T*);
ALL_OPERATORS(int)
ALL_OPERATORS(long long)
ALL_OPERATORS(float)
ALL_OPERATORS(double)
