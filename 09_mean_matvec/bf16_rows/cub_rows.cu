#include "cub_rows.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#include <memory>
#include <type_traits>

#include "cuda/device_array.h"
#include "row_reductions.cuh"

// A part of a row, as people write it for CUB. Of moments: two sums, added up without a division;
// CUB's iterators know no row, so that there is nothing to shift by.
struct Sums {
  float sum, squares;
  __device__ void join(Sums other) { sum += other.sum, squares += other.squares; }
  __device__ float2 resultOf(int length) const {
    const float mean = sum / float(length);
    return make_float2(mean, fmaxf(squares / float(length) - mean * mean, 0));
  }
};
struct LargestAndSum : SoftmaxSum {
  __device__ float2 resultOf(int) const { return result(); }
};
template <typename Reduction>
using PartFor = std::conditional_t<std::is_same_v<Reduction, Moments>, Sums, LargestAndSum>;
constexpr Sums none(Sums) { return {0, 0}; }
constexpr LargestAndSum none(LargestAndSum) { return {{-FLT_MAX, 0}}; }

template <typename Part>
struct PartOfOne {
  __device__ Part operator()(__nv_bfloat16 x) const {
    const float value = __bfloat162float(x);
    if constexpr (std::is_same_v<Part, Sums>)
      return {value, value * value};
    else
      return {{value, 1}};
  }
};

template <typename Part>
struct Join {
  __device__ Part operator()(Part a, Part b) const {
    a.join(b);
    return a;
  }
};

template <typename Part>
struct Finish {
  int length;
  __device__ float2 operator()(Part part) const { return part.resultOf(length); }
};

struct RowBegin {
  int length;
  __host__ __device__ int operator()(int row) const { return row * length; }
};

#if CUB_VERSION >= 300100

bool cubHasFixedSize() { return true; }

template <typename Part, typename Call>
static void inTwoCalls(float2* results, int, int length, const Call& call) {
  call(thrust::make_transform_output_iterator(results, Finish<Part>{length}));
}

#else

// This one adds up in the type that the output has: it gets an output of parts, and their results
// are a launch of their own.
bool cubHasFixedSize() { return false; }

template <typename Part>
static __global__ void finish(float2* results, int rows, int length) {
  const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const Part part = reinterpret_cast<Part*>(results)[row];
  results[row] = Finish<Part>{length}(part);
}

template <typename Part, typename Call>
static void inTwoCalls(float2* results, int rows, int length, const Call& call) {
  call(reinterpret_cast<Part*>(results));
  if (rows > 0) finish<Part><<<(rows + 255) / 256, 256>>>(results, rows, length);
  CUDA_CHECK(cudaGetLastError());
}

#endif

template <typename Reduction>
void cubRows(const __nv_bfloat16* data, int rows, int length, float2* results,
             [[maybe_unused]] bool fixedSize) {
  using Part = PartFor<Reduction>;
  static std::unique_ptr<DeviceArray<char>> storage;  // of the device then in use, for one stream
  const auto in = thrust::make_transform_iterator(data, PartOfOne<Part>());
  const auto begins =
      thrust::make_transform_iterator(thrust::make_counting_iterator(0), RowBegin{length});
  const auto reduce = [&](void* temporary, size_t& bytes, auto out) -> cudaError_t {
#if CUB_VERSION >= 300100
    if (fixedSize)
      return cub::DeviceSegmentedReduce::Reduce(temporary, bytes, in, out, rows, length,
                                                Join<Part>(), none(Part()));
#endif
    return cub::DeviceSegmentedReduce::Reduce(temporary, bytes, in, out, rows, begins, begins + 1,
                                              Join<Part>(), none(Part()));
  };
  inTwoCalls<Part>(results, rows, length, [&](auto out) {
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
