#include "cub_rows.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#include <memory>

#include "cuda/device_array.h"
#include "row_reductions.cuh"

// One element as a part of a row. CUB's iterators know no row, so that there is nothing to shift
// by.
template <typename Reduction>
struct PartOfOne;
template <>
struct PartOfOne<Moments> {
  __device__ Moments operator()(__nv_bfloat16 x) const {
    const float value = __bfloat162float(x);
    return {value, value * value};
  }
};
template <>
struct PartOfOne<SoftmaxSum> {
  __device__ SoftmaxSum operator()(__nv_bfloat16 x) const { return {__bfloat162float(x), 1}; }
};

template <typename Reduction>
struct Join {
  __device__ Reduction operator()(Reduction a, Reduction b) const {
    a.join(b);
    return a;
  }
};

template <typename Reduction>
struct Finish {
  int length;
  __device__ float2 operator()(Reduction part) const { return part.result(0, length); }
};

struct RowBegin {
  int length;
  __host__ __device__ int operator()(int row) const { return row * length; }
};

template <typename Reduction>
static Reduction noPart() {
  if constexpr (std::is_same_v<Reduction, Moments>)
    return {0, 0};
  else
    return {-FLT_MAX, 0};
}

#if CUB_VERSION >= 300100

bool cubHasFixedSize() { return true; }

template <typename Reduction, typename Call>
static void inTwoCalls(float2* results, int, int length, const Call& call) {
  call(thrust::make_transform_output_iterator(results, Finish<Reduction>{length}));
}

#else

// This one adds up in the type that the output has: it gets an output of parts, and their results
// are a launch of their own.
bool cubHasFixedSize() { return false; }

template <typename Reduction>
static __global__ void finish(float2* results, int rows, int length) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const Reduction part = reinterpret_cast<Reduction*>(results)[row];
  results[row] = Finish<Reduction>{length}(part);
}

template <typename Reduction, typename Call>
static void inTwoCalls(float2* results, int rows, int length, const Call& call) {
  call(reinterpret_cast<Reduction*>(results));
  if (rows > 0) finish<Reduction><<<(rows + 255) / 256, 256>>>(results, rows, length);
  CUDA_CHECK(cudaGetLastError());
}

#endif

template <typename Reduction>
void cubRows(const __nv_bfloat16* data, int rows, int length, float2* results,
             [[maybe_unused]] bool fixedSize) {
  static std::unique_ptr<DeviceArray<char>> storage;
  const auto in = thrust::make_transform_iterator(data, PartOfOne<Reduction>());
  const auto begins =
      thrust::make_transform_iterator(thrust::make_counting_iterator(0), RowBegin{length});
  const auto reduce = [&](void* temporary, size_t& bytes, auto out) -> cudaError_t {
#if CUB_VERSION >= 300100
    if (fixedSize)
      return cub::DeviceSegmentedReduce::Reduce(temporary, bytes, in, out, rows, length,
                                                Join<Reduction>(), noPart<Reduction>());
#endif
    return cub::DeviceSegmentedReduce::Reduce(temporary, bytes, in, out, rows, begins, begins + 1,
                                              Join<Reduction>(), noPart<Reduction>());
  };
  inTwoCalls<Reduction>(results, rows, length, [&](auto out) {
    size_t bytes = 0;
    CUDA_CHECK(reduce(nullptr, bytes, out));
    if (!storage || storage->size() < bytes)
      storage = std::make_unique<DeviceArray<char>>(bytes, "CUB's temporary storage");
    bytes = storage->size();
    CUDA_CHECK(reduce(storage->data(), bytes, out));
  });
}

template void cubRows<Moments>(const __nv_bfloat16*, int, int, float2*, bool);
template void cubRows<SoftmaxSum>(const __nv_bfloat16*, int, int, float2*, bool);
