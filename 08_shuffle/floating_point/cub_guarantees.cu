#include "cub_guarantees.h"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <memory>

#include "cuda/device_array.h"

#if CUB_VERSION >= 300100
#include <cuda/execution>

bool cubHas(Guarantee) { return true; }

// It takes its storage from the stream's memory pool, which is not in the time once it has some.
template <typename T>
void cubSumWith(Guarantee guarantee, const T* data, size_t n, T* total) {
  namespace determinism = cuda::execution::determinism;
  const auto sum = [&](auto which) {
    CUDA_CHECK(cub::DeviceReduce::Sum(data, total, int(n), cuda::execution::require(which)));
  };
  if (guarantee == Guarantee::none) sum(determinism::not_guaranteed);
  if (guarantee == Guarantee::runToRun) sum(determinism::run_to_run);
  if (guarantee == Guarantee::gpuToGpu) sum(determinism::gpu_to_gpu);
}
#else

bool cubHas(Guarantee guarantee) { return guarantee == Guarantee::runToRun; }

template <typename T>
void cubSumWith(Guarantee, const T* data, size_t n, T* total) {
  // Kept: of the device then in use, for one stream.
  static std::unique_ptr<DeviceArray<char>> storage;
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, data, total, int(n)));
  if (!storage || storage->size() < bytes)
    storage = std::make_unique<DeviceArray<char>>(bytes, "CUB's temporary storage");
  CUDA_CHECK(cub::DeviceReduce::Sum(storage->data(), bytes, data, total, int(n)));
}
#endif

template void cubSumWith(Guarantee, const float*, size_t, float*);
template void cubSumWith(Guarantee, const double*, size_t, double*);
