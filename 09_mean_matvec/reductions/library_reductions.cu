#include "library_reductions.h"

#ifdef WORKSHOP_CUBLAS
#include <cublas_v2.h>
#endif
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#include <memory>

#include "../bf16_rows/row_reductions.cuh"
#include "cuda/device_array.h"

// The first call says how much storage the second needs, which is kept.
template <typename Call>
static void inTwoCalls(std::unique_ptr<DeviceArray<char>>& storage, const Call& call) {
  size_t bytes = 0;
  CUDA_CHECK(call(nullptr, bytes));
  if (!storage || storage->size() < bytes)
    storage = std::make_unique<DeviceArray<char>>(bytes, "CUB's temporary storage");
  bytes = storage->size();
  CUDA_CHECK(call(storage->data(), bytes));
}

// ---- The smallest, and mean and variance

#if CUB_VERSION >= 300000
static __global__ void asWord(const int* place, unsigned long long* smallest) {
  *smallest = ~static_cast<unsigned long long>(*place);
}
#else
static __global__ void asWord(const cub::KeyValuePair<int, float>* found,
                              unsigned long long* smallest) {
  *smallest = ~static_cast<unsigned long long>(found->key);
}
#endif

void libraryArgMin(const float* data, size_t n, unsigned long long* smallest) {
  static std::unique_ptr<DeviceArray<char>> storage;
#if CUB_VERSION >= 300000
  static DeviceArray<int> place(1, "place");
  static DeviceArray<float> least(1, "least");
  inTwoCalls(storage, [&](void* temporary, size_t& bytes) {
    return cub::DeviceReduce::ArgMin(temporary, bytes, data, least.data(), place.data(),
                                     int64_t(n));
  });
  asWord<<<1, 1>>>(place.data(), smallest);
#else
  static DeviceArray<cub::KeyValuePair<int, float>> found(1, "found");
  inTwoCalls(storage, [&](void* temporary, size_t& bytes) {
    return cub::DeviceReduce::ArgMin(temporary, bytes, data, found.data(), int(n));
  });
  asWord<<<1, 1>>>(found.data(), smallest);
#endif
  CUDA_CHECK(cudaGetLastError());
}

struct MomentsOfOne {
  __device__ Moments operator()(float x) const { return {1, x, 0}; }
};
struct JoinMoments {
  __device__ Moments operator()(Moments a, Moments b) const {
    a.join(b);
    return a;
  }
};

static __global__ void asPair(const Moments* found, float2* result) { *result = found->result(); }

void libraryMoments(const float* data, size_t n, float2* result) {
  static std::unique_ptr<DeviceArray<char>> storage;
  static DeviceArray<Moments> found(1, "found");
  inTwoCalls(storage, [&](void* temporary, size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(temporary, bytes, data, found.data(), int64_t(n),
                                              JoinMoments(), MomentsOfOne(), Moments{0, 0, 0});
  });
  asPair<<<1, 1>>>(found.data(), result);
  CUDA_CHECK(cudaGetLastError());
}

// ---- Rows and columns

struct RowBegins {
  int64_t columns;
  __host__ __device__ int64_t operator()(int64_t row) const { return row * columns; }
};

static void segmentedSum(const float* matrix, float* sums, size_t rows, size_t columns) {
  static std::unique_ptr<DeviceArray<char>> storage;
  const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(int64_t(0)),
                                                      RowBegins{int64_t(columns)});
  inTwoCalls(storage, [&](void* temporary, size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(temporary, bytes, matrix, sums, int64_t(rows), begins,
                                           begins + 1);
  });
}

#if CUB_VERSION >= 300100
static void segmentedSumOfOneLength(const float* matrix, float* sums, size_t rows, size_t columns) {
  static std::unique_ptr<DeviceArray<char>> storage;
  inTwoCalls(storage, [&](void* temporary, size_t& bytes) {
    return cub::DeviceSegmentedReduce::Sum(temporary, bytes, matrix, sums, int64_t(rows),
                                           int(columns));
  });
}
#endif

// cub::BlockReduce in a kernel of our own: a block for each row, loads of cub::BlockLoad, of which
// the last is guarded.
constexpr int blockThreads = 256, perThread = 8;
static __global__ void __launch_bounds__(blockThreads)
    blockReduceRows(const float* matrix, float* sums, size_t columns) {
  using Load = cub::BlockLoad<float, blockThreads, perThread, cub::BLOCK_LOAD_STRIPED>;
  using Reduce = cub::BlockReduce<float, blockThreads>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Reduce::TempStorage reduce;
  } storage;
  const float* const row = matrix + blockIdx.x * columns;
  float sum = 0;
  for (size_t begin = 0; begin < columns; begin += blockThreads * perThread) {
    float x[perThread];
    if (begin + blockThreads * perThread <= columns)
      Load(storage.load).Load(row + begin, x);
    else
      Load(storage.load).Load(row + begin, x, int(columns - begin), 0.0f);
    for (const float element : x) sum += element;
  }
  __syncthreads();
  sum = Reduce(storage.reduce).Sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

static void blockReduceSum(const float* matrix, float* sums, size_t rows, size_t columns) {
  if (rows > 0) blockReduceRows<<<unsigned(rows), blockThreads>>>(matrix, sums, columns);
  CUDA_CHECK(cudaGetLastError());
}

#ifdef WORKSHOP_CUBLAS
static void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(exitWrong, std::string(call) + ": " + cublasGetStatusString(status));
}

// The matrix times ones. What is rows × columns here is its transpose to cuBLAS.
template <bool ofRows>
static void gemvSum(const float* matrix, float* sums, size_t rows, size_t columns) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made;
    check(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  static std::unique_ptr<DeviceArray<float>> ones;
  const size_t count = ofRows ? columns : rows;
  if (!ones || ones->size() != count) {
    ones = std::make_unique<DeviceArray<float>>(count, "ones");
    ones->copyFromHost(std::vector<float>(count, 1).data());
  }
  const float one = 1, zero = 0;
  if (rows == 0 || columns == 0) return;
  check(cublasSgemv_64(handle, ofRows ? CUBLAS_OP_T : CUBLAS_OP_N, int64_t(columns), int64_t(rows),
                       &one, matrix, int64_t(columns), ones->data(), 1, &zero, sums, 1),
        "cublasSgemv");
}
#endif

std::vector<LibrarySum> libraryRowSums() {
  std::vector<LibrarySum> sums = {{"cub::BlockReduce", blockReduceSum}};
#ifdef WORKSHOP_CUBLAS
  sums.push_back({"cublasSgemv", gemvSum<true>});
#endif
#if CUB_VERSION >= 300100
  sums.push_back({"cub::DeviceSegmentedReduce, one length", segmentedSumOfOneLength});
#endif
  sums.push_back({"cub::DeviceSegmentedReduce", segmentedSum});
  return sums;
}

std::vector<LibrarySum> libraryColumnSums() {
#ifdef WORKSHOP_CUBLAS
  return {{"cublasSgemv", gemvSum<false>}};
#else
  return {};
#endif
}
