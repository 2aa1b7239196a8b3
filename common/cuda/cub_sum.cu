#include "cuda/cub_sum.h"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <map>
#include <memory>

#include "cuda/device_array.h"

#if CUB_VERSION >= 300100
#include <cuda/execution>
#endif

// The width of the count is a template parameter of CUB: 32 bits are faster where they suffice.
template <typename Count, typename Total>
static void sumWithCount(const int* data, Count n, Total* total) {
  static std::map<Count, std::unique_ptr<DeviceArray<char>>> storage;
  size_t bytes = 0;
  if (!storage.contains(n)) {
    // With no storage given, the call only says how many bytes it needs.
    CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, data, total, n));
    storage[n] = std::make_unique<DeviceArray<char>>(bytes, "CUB's temporary storage");
  }
  DeviceArray<char>& temporary = *storage[n];
  bytes = temporary.size();
  CUDA_CHECK(cub::DeviceReduce::Sum(temporary.data(), bytes, data, total, n));
}

void cubSum(const int* data, size_t n, long long* total) {
  if (n <= size_t(INT32_MAX))
    sumWithCount(data, int(n), total);
  else
    sumWithCount(data, n, total);
}

void cubSum32(const int* data, size_t n, int* total) {
  if (n <= size_t(INT32_MAX))
    sumWithCount(data, int(n), total);
  else
    sumWithCount(data, n, total);
}

#if CUB_VERSION >= 300100
bool cubHasNotGuaranteed() { return true; }

// It takes its storage from the stream's memory pool.
void cubSumNotGuaranteed(const int* data, size_t n, long long* total) {
  const auto inAnyOrder = cuda::execution::require(cuda::execution::determinism::not_guaranteed);
  if (n <= size_t(INT32_MAX))
    CUDA_CHECK(cub::DeviceReduce::Sum(data, total, int(n), inAnyOrder));
  else
    CUDA_CHECK(cub::DeviceReduce::Sum(data, total, n, inAnyOrder));
}
#else
bool cubHasNotGuaranteed() { return false; }

void cubSumNotGuaranteed(const int*, size_t, long long*) {
  throw Error(exitUsage, "this CUB has no sum whose order is not guaranteed: 3.1 has");
}
#endif
