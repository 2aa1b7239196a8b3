// Products of matrices, triangular systems, sums: part of cublas_v2.h.
#pragma once

#include "../cublas_api.h"
#include "triangles.h"

namespace simt_blas {

// c = alpha op(a) op(b) + beta c, with elements of three types.
template <typename A, typename C, typename N>
SIMT_BLAS_HOST void gemm(Problem& problem, cublasOperation_t opA, cublasOperation_t opB, int m,
                         int n, int k, N alpha, const A* a, int lda, const A* b, int ldb, N beta,
                         C* c, int ldc) {
  problem.meets(m >= 0 && n >= 0 && k >= 0);
  if (problem.status || m == 0 || n == 0) return;
  const auto read = [&](const A* at, cublasOperation_t op, int rows, int columns, int stride) {
    return op == CUBLAS_OP_N ? Matrix<A>(problem, at, rows, columns, stride)
                             : Matrix<A>(problem, at, columns, rows, stride);
  };
  Matrix<A> left = read(a, opA, m, k, lda), right = read(b, opB, k, n, ldb);
  Matrix<C> result(problem, c, m, n, ldc, !(beta == N()));
  if (problem.status) return;
  if constexpr (std::is_same_v<Number<A>, N> && std::is_same_v<Number<C>, N>) {
    multiply<N>(opA, opB, m, n, k, alpha, left.data(), std::max(1, int(left.rows)), right.data(),
                std::max(1, int(right.rows)), beta, result.data(), m);
  } else {
    for (long long j = 0; j < n; ++j)
      for (long long i = 0; i < m; ++i) {
        N sum{};
        for (long long l = 0; l < k; ++l)
          sum += N(left.under(opA, i, l)) * N(right.under(opB, l, j));
        auto& to = result(i, j);
        to = Number<C>(alpha * sum + (beta == N() ? N() : beta * N(to)));
      }
  }
  result.writeBack();
}

// Of the device's list of arrays, that of a batch.
template <typename T>
std::vector<T*> listed(Problem& problem, T* const* arrays, int count) {
  std::vector<T*> list(size_t(count > 0 ? count : 0));
  problem.did(cudaMemcpy(list.data(), arrays, list.size() * sizeof(T*), cudaMemcpyDefault));
  if (problem.status) list.clear();
  return list;
}

template <typename T>
SIMT_BLAS_HOST cublasStatus_t geam(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB,
                                   int m, int n, const T* alpha, const T* a, int lda, const T* beta,
                                   const T* b, int ldb, T* c, int ldc) {
  Problem problem;
  const Scalars<T> s(problem, h, alpha, beta);
  if (problem.status) return problem.status;
  const auto read = [&](const T* at, cublasOperation_t op, int stride, bool wanted) {
    const bool plain = op == CUBLAS_OP_N;
    return Matrix<T>(problem, at, plain ? m : n, plain ? n : m, wanted ? stride : m + n, wanted);
  };
  const bool wantsA = !(s.alpha == Number<T>()), wantsB = !(s.beta == Number<T>());
  Matrix<T> x = read(a, opA, lda, wantsA), y = read(b, opB, ldb, wantsB),
            z(problem, c, m, n, ldc, false);
  if (problem.status) return problem.status;
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < m; ++i)
      z(i, j) = (wantsA ? s.alpha * x.under(opA, i, j) : Number<T>()) +
                (wantsB ? s.beta * y.under(opB, i, j) : Number<T>());
  z.writeBack();
  return problem.status;
}
template <typename T>
SIMT_BLAS_HOST cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n,
                                   const T* a, int lda, const T* x, int incx, T* c, int ldc) {
  Problem problem;
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const long long size = left ? m : n;
  Matrix<T> from(problem, a, m, n, lda), diagonal = vectorOf(problem, x, size, incx),
                                         to(problem, c, m, n, ldc, false);
  if (problem.status) return problem.status;
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < m; ++i)
      to(i, j) = from(i, j) * diagonal[placeIn(left ? i : j, size, incx)];
  to.writeBack();
  return problem.status;
}

// Products whose elements are named by numbers: work(A, C, N) gets a null pointer of each type.
template <typename Work>
cublasStatus_t withTypes(cudaDataType a, cudaDataType c, cublasComputeType_t compute, Work work) {
  const bool inDouble = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool inInt = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
  if (inInt && a == CUDA_R_8I && c == CUDA_R_32I)
    return work((int8_t*)nullptr, (int*)nullptr, (int*)nullptr);
  if (inInt) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (inDouble && a == CUDA_R_64F && c == CUDA_R_64F)
    return work((double*)nullptr, (double*)nullptr, (double*)nullptr);
  if (inDouble) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (a == CUDA_R_32F && c == CUDA_R_32F)
    return work((float*)nullptr, (float*)nullptr, (float*)nullptr);
  if (a == CUDA_R_16F && c == CUDA_R_16F)
    return work((__half*)nullptr, (__half*)nullptr, (float*)nullptr);
  if (a == CUDA_R_16F && c == CUDA_R_32F)
    return work((__half*)nullptr, (float*)nullptr, (float*)nullptr);
  if (a == CUDA_R_16BF && c == CUDA_R_16BF)
    return work((__nv_bfloat16*)nullptr, (__nv_bfloat16*)nullptr, (float*)nullptr);
  if (a == CUDA_R_16BF && c == CUDA_R_32F)
    return work((__nv_bfloat16*)nullptr, (float*)nullptr, (float*)nullptr);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
inline cublasComputeType_t computeOf(cudaDataType type) {
  return type == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
         : type == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                              : CUBLAS_COMPUTE_32F;
}
template <typename N>
N scalarEx(Problem& problem, const void* at, cublasComputeType_t compute) {
  if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC)
    return N(scalar(problem, static_cast<const __half*>(at)));
  return scalar(problem, static_cast<const N*>(at));
}

}  // namespace simt_blas

#define SIMT_BLAS_SHAPE \
  cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k
#define SIMT_BLAS_PRODUCTS(L, T)                                                                   \
  inline cublasStatus_t cublas##L##gemm(SIMT_BLAS_SHAPE, const T* alpha, const T* a, int lda,      \
                                        const T* b, int ldb, const T* beta, T* c, int ldc) {       \
    simt_blas::Problem problem;                                                                    \
    const simt_blas::Scalars<T> s(problem, h, alpha, beta);                                        \
    simt_blas::gemm(problem, opA, opB, m, n, k, s.alpha, a, lda, b, ldb, s.beta, c, ldc);          \
    return problem.status;                                                                         \
  }                                                                                                \
  inline cublasStatus_t cublas##L##gemmStridedBatched(                                             \
      SIMT_BLAS_SHAPE, const T* alpha, const T* a, int lda, long long strideA, const T* b,         \
      int ldb, long long strideB, const T* beta, T* c, int ldc, long long strideC, int count) {    \
    simt_blas::Problem problem;                                                                    \
    const simt_blas::Scalars<T> s(problem, h, alpha, beta);                                        \
    for (int i = 0; i < count; ++i)                                                                \
      simt_blas::gemm(problem, opA, opB, m, n, k, s.alpha, a + i * strideA, lda, b + i * strideB,  \
                      ldb, s.beta, c + i * strideC, ldc);                                          \
    return problem.status;                                                                         \
  }                                                                                                \
  inline cublasStatus_t cublas##L##gemmBatched(SIMT_BLAS_SHAPE, const T* alpha, const T* const* a, \
                                               int lda, const T* const* b, int ldb, const T* beta, \
                                               T* const* c, int ldc, int count) {                  \
    simt_blas::Problem problem;                                                                    \
    const simt_blas::Scalars<T> s(problem, h, alpha, beta);                                        \
    const auto lists =                                                                             \
        std::tuple(simt_blas::listed(problem, a, count), simt_blas::listed(problem, b, count),     \
                   simt_blas::listed(problem, c, count));                                          \
    for (size_t i = 0; i < std::get<2>(lists).size(); ++i)                                         \
      simt_blas::gemm(problem, opA, opB, m, n, k, s.alpha, std::get<0>(lists)[i], lda,             \
                      std::get<1>(lists)[i], ldb, s.beta, std::get<2>(lists)[i], ldc);             \
    return problem.status;                                                                         \
  }
SIMT_BLAS_PRODUCTS(S, float)
SIMT_BLAS_PRODUCTS(D, double)
SIMT_BLAS_PRODUCTS(C, cuComplex)
SIMT_BLAS_PRODUCTS(Z, cuDoubleComplex)
SIMT_BLAS_PRODUCTS(H, __half)
#undef SIMT_BLAS_PRODUCTS

inline cublasStatus_t cublasGemmStridedBatchedEx(SIMT_BLAS_SHAPE, const void* alpha, const void* a,
                                                 cudaDataType typeA, int lda, long long strideA,
                                                 const void* b, cudaDataType typeB, int ldb,
                                                 long long strideB, const void* beta, void* c,
                                                 cudaDataType typeC, int ldc, long long strideC,
                                                 int count, cublasComputeType_t compute,
                                                 cublasGemmAlgo_t) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (typeA != typeB) return CUBLAS_STATUS_NOT_SUPPORTED;
  return simt_blas::withTypes(typeA, typeC, compute, [&](auto* ofA, auto* ofC, auto* ofN) {
    using A = std::remove_pointer_t<decltype(ofA)>;
    using C = std::remove_pointer_t<decltype(ofC)>;
    using N = std::remove_pointer_t<decltype(ofN)>;
    simt_blas::Problem problem;
    const N factor = simt_blas::scalarEx<N>(problem, alpha, compute),
            keep = simt_blas::scalarEx<N>(problem, beta, compute);
    for (int i = 0; i < count; ++i)
      simt_blas::gemm(problem, opA, opB, m, n, k, factor, static_cast<const A*>(a) + i * strideA,
                      lda, static_cast<const A*>(b) + i * strideB, ldb, keep,
                      static_cast<C*>(c) + i * strideC, ldc);
    return problem.status;
  });
}
inline cublasStatus_t cublasGemmEx(SIMT_BLAS_SHAPE, const void* alpha, const void* a,
                                   cudaDataType typeA, int lda, const void* b, cudaDataType typeB,
                                   int ldb, const void* beta, void* c, cudaDataType typeC, int ldc,
                                   cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(h, opA, opB, m, n, k, alpha, a, typeA, lda, 0, b, typeB, ldb, 0,
                                    beta, c, typeC, ldc, 0, 1, compute, algorithm);
}
inline cublasStatus_t cublasGemmEx(SIMT_BLAS_SHAPE, const void* alpha, const void* a,
                                   cudaDataType typeA, int lda, const void* b, cudaDataType typeB,
                                   int ldb, const void* beta, void* c, cudaDataType typeC, int ldc,
                                   cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb, beta, c, typeC,
                      ldc, simt_blas::computeOf(compute), algorithm);
}
inline cublasStatus_t cublasSgemmEx(SIMT_BLAS_SHAPE, const float* alpha, const void* a,
                                    cudaDataType typeA, int lda, const void* b, cudaDataType typeB,
                                    int ldb, const float* beta, void* c, cudaDataType typeC,
                                    int ldc) {
  return cublasGemmEx(h, opA, opB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb, beta, c, typeC,
                      ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

#define SIMT_BLAS_OTHERS(L)        \
  SIMT_BLAS_FORWARD(L##trsm, trsm) \
  SIMT_BLAS_FORWARD(L##trsv, trsv) \
  SIMT_BLAS_FORWARD(L##trmv, trmv) \
  SIMT_BLAS_FORWARD(L##trmm, trmm) \
  SIMT_BLAS_FORWARD(L##symm, symm) \
  SIMT_BLAS_FORWARD(L##syrk, syrk) \
  SIMT_BLAS_FORWARD(L##geam, geam) \
  SIMT_BLAS_FORWARD(L##dgmm, dgmm)
SIMT_BLAS_OTHERS(S)
SIMT_BLAS_OTHERS(D)
SIMT_BLAS_OTHERS(C)
SIMT_BLAS_OTHERS(Z)
#undef SIMT_BLAS_OTHERS
#undef SIMT_BLAS_SHAPE
