// What the functions of cublas_v2.h are made of: names, and matrices of the device on the host.
// cuBLAS itself is not there. Each call copies what it needs by the runtime, which checks it,
// computes on the host, and copies the result back. Large products are OpenBLAS's where simtcc has
// linked it.
#pragma once

#include "simt/device/names_begin.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C, CUBLAS_OP_HERMITAN = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1,
  CUBLAS_GEMM_ALGO2,
  CUBLAS_GEMM_ALGO3,
  CUBLAS_GEMM_ALGO4,
  CUBLAS_GEMM_ALGO5,
  CUBLAS_GEMM_ALGO6,
  CUBLAS_GEMM_ALGO7,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
};
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
using cublasDataType_t = cudaDataType_t;

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};
using cublasHandle_t = cublasContext*;

// Present where the program is linked with a BLAS.
extern "C" {
__attribute__((weak)) void cblas_sgemm(int, int, int, int, int, int, float, const float*, int,
                                       const float*, int, float, float*, int);
__attribute__((weak)) void cblas_dgemm(int, int, int, int, int, int, double, const double*, int,
                                       const double*, int, double, double*, int);
__attribute__((weak)) void cblas_cgemm(int, int, int, int, int, int, const void*, const void*, int,
                                       const void*, int, const void*, void*, int);
__attribute__((weak)) void cblas_zgemm(int, int, int, int, int, int, const void*, const void*, int,
                                       const void*, int, const void*, void*, int);
}

namespace simt_blas {

// Work of the host, in files whose other code is that of kernels.
#define SIMT_BLAS_HOST __attribute__((no_sanitize("thread")))

template <typename T>
struct NumberOf {
  using Type = T;
};
template <>
struct NumberOf<cuComplex> {
  using Type = std::complex<float>;
};
template <>
struct NumberOf<cuDoubleComplex> {
  using Type = std::complex<double>;
};
template <>
struct NumberOf<__half> {
  using Type = float;
};
template <>
struct NumberOf<__nv_bfloat16> {
  using Type = float;
};
template <typename T>
using Number = typename NumberOf<T>::Type;  // that the host computes with

template <typename T>
T conjugate(T x) {
  return x;
}
template <typename T>
std::complex<T> conjugate(std::complex<T> x) {
  return std::conj(x);
}

// The problem of a call: what went wrong first.
struct Problem {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  void meets(bool allowed) {
    if (!allowed && !status) status = CUBLAS_STATUS_INVALID_VALUE;
  }
  void did(cudaError_t error) {
    if (error != cudaSuccess && !status) status = CUBLAS_STATUS_EXECUTION_FAILED;
  }
};

// Columns of the device's memory, on the host; a vector is a matrix of one row.
template <typename T>
class Matrix {
 public:
  using N = Number<T>;
  long long rows, columns;

  // Read now, unless what is in it does not matter.
  SIMT_BLAS_HOST Matrix(Problem& problem, const T* at, long long rows_, long long columns_,
                        long long stride, bool isRead = true)
      : rows(rows_),
        columns(columns_),
        problem_(problem),
        at_(const_cast<T*>(at)),
        stride_(stride),
        elements_(size_t(rows_ > 0 && columns_ > 0 ? rows_ * columns_ : 0)) {
    problem.meets(rows >= 0 && columns >= 0 && stride >= rows);
    if (problem.status || elements_.empty() || !isRead) return;
    if constexpr (std::is_same_v<N, T> || sizeof(N) == sizeof(T)) {
      copy(elements_.data(), at_, rows, stride, cudaMemcpyDefault);
    } else {
      std::vector<T> raw(elements_.size());
      copy(raw.data(), at_, rows, stride, cudaMemcpyDefault);
      for (size_t i = 0; i < raw.size(); ++i) elements_[i] = N(float(raw[i]));
    }
  }
  SIMT_BLAS_HOST void writeBack() {
    if (problem_.status || elements_.empty()) return;
    if constexpr (std::is_same_v<N, T> || sizeof(N) == sizeof(T)) {
      copy(at_, elements_.data(), stride_, rows, cudaMemcpyDefault);
    } else {
      std::vector<T> raw(elements_.size());
      for (size_t i = 0; i < raw.size(); ++i) raw[i] = T(elements_[i]);
      copy(at_, raw.data(), stride_, rows, cudaMemcpyDefault);
    }
  }
  N& operator()(long long row, long long column) { return elements_[size_t(column * rows + row)]; }
  N& operator[](long long i) { return elements_[size_t(i)]; }
  // As the operation has it: transposed, conjugated.
  N under(cublasOperation_t operation, long long row, long long column) {
    return operation == CUBLAS_OP_N   ? (*this)(row, column)
           : operation == CUBLAS_OP_T ? (*this)(column, row)
                                      : conjugate((*this)(column, row));
  }
  N* data() { return elements_.data(); }

 private:
  void copy(void* to, const void* from, long long toStride, long long fromStride,
            cudaMemcpyKind kind) {
    problem_.did(cudaMemcpy2D(to, size_t(toStride) * sizeof(T), from,
                              size_t(fromStride) * sizeof(T), size_t(rows) * sizeof(T),
                              size_t(columns), kind));
  }
  Problem& problem_;
  T* at_;
  long long stride_;
  std::vector<N> elements_;
};

// A vector of n elements; with a negative stride it begins at its end.
template <typename T>
Matrix<T> vectorOf(Problem& problem, const T* at, long long n, long long stride,
                   bool isRead = true) {
  problem.meets(stride != 0);
  return {problem, at, 1, n, stride < 0 ? -stride : stride ? stride : 1, isRead};
}
inline long long placeIn(long long i, long long n, long long stride) {
  return stride < 0 ? n - 1 - i : i;
}

// A scalar, from the host or the device.
template <typename T>
Number<T> scalar(Problem& problem, const T* at) {
  problem.meets(at != nullptr);
  return problem.status ? Number<T>() : Matrix<T>(problem, at, 1, 1, 1)[0];
}
template <typename T>
void giveScalar(Problem& problem, T* to, Number<T> value) {
  problem.meets(to != nullptr);
  Matrix<T> place(problem, to, 1, 1, 1, false);
  if (problem.status) return;
  place[0] = value;
  place.writeBack();
}

// C = alpha op(A) op(B) + beta C, in numbers of one type.
template <typename N>
SIMT_BLAS_HOST void multiply(int transA, int transB, int m, int n, int k, N alpha, N* a, int lda,
                             N* b, int ldb, N beta, N* c, int ldc) {
  constexpr int byColumns = 102, plain = 111;  // cblas.h
  const auto run = [&](auto* function, auto... more) {
    function(byColumns, plain + transA, plain + transB, m, n, k, more...);
  };
  if constexpr (std::is_same_v<N, float>)
    if (cblas_sgemm) return run(cblas_sgemm, alpha, a, lda, b, ldb, beta, c, ldc);
  if constexpr (std::is_same_v<N, double>)
    if (cblas_dgemm) return run(cblas_dgemm, alpha, a, lda, b, ldb, beta, c, ldc);
  if constexpr (std::is_same_v<N, std::complex<float>>)
    if (cblas_cgemm) return run(cblas_cgemm, &alpha, a, lda, b, ldb, &beta, c, ldc);
  if constexpr (std::is_same_v<N, std::complex<double>>)
    if (cblas_zgemm) return run(cblas_zgemm, &alpha, a, lda, b, ldb, &beta, c, ldc);
  const auto of = [](N* matrix, int stride, int operation, long long row, long long column) {
    return operation == 0   ? matrix[column * stride + row]
           : operation == 1 ? matrix[row * (long long)stride + column]
                            : conjugate(matrix[row * (long long)stride + column]);
  };
  for (long long j = 0; j < n; ++j) {
    std::vector<N> column(static_cast<size_t>(m));
    for (long long l = 0; l < k; ++l) {
      const N factor = of(b, ldb, transB, l, j);
      for (long long i = 0; i < m; ++i) column[size_t(i)] += of(a, lda, transA, i, l) * factor;
    }
    for (long long i = 0; i < m; ++i) {
      N& to = c[j * ldc + i];
      to = alpha * column[size_t(i)] + (beta == N() ? N() : beta * to);
    }
  }
}

}  // namespace simt_blas

#include "simt/device/names_end.h"
