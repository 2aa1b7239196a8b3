// cuBLAS's interface for programs on the executor: vectors, matrices and vectors, products of
// matrices, batches of them. What is not here does not compile. See cublas_api.h.
#pragma once

#include "simt/device/names_begin.h"

#include "cublas_api.h"

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
#define SIMT_BLAS_SETTING(Name, Type, member)                                 \
  inline cublasStatus_t cublasSet##Name(cublasHandle_t handle, Type value) {  \
    if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;                        \
    handle->member = value;                                                   \
    return CUBLAS_STATUS_SUCCESS;                                             \
  }                                                                           \
  inline cublasStatus_t cublasGet##Name(cublasHandle_t handle, Type* value) { \
    if (!handle || !value) return CUBLAS_STATUS_NOT_INITIALIZED;              \
    *value = handle->member;                                                  \
    return CUBLAS_STATUS_SUCCESS;                                             \
  }
SIMT_BLAS_SETTING(Stream, cudaStream_t, stream)
SIMT_BLAS_SETTING(PointerMode, cublasPointerMode_t, pointers)
SIMT_BLAS_SETTING(MathMode, cublasMath_t, math)
SIMT_BLAS_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef SIMT_BLAS_SETTING
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = 130000;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}
inline const char* cublasGetStatusString(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

// Between host and device.
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* from, int lda,
                                      void* to, int ldb) {
  const auto bytes = [size](int n) { return size_t(n) * size_t(size); };
  return cudaMemcpy2D(to, bytes(ldb), from, bytes(lda), bytes(rows), size_t(columns),
                      cudaMemcpyDefault)
             ? CUBLAS_STATUS_MAPPING_ERROR
             : CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* from, int lda,
                                      void* to, int ldb) {
  return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
inline cublasStatus_t cublasSetVector(int n, int size, const void* from, int incx, void* to,
                                      int incy) {
  return cublasSetMatrix(1, n, size, from, incx, to, incy);
}
inline cublasStatus_t cublasGetVector(int n, int size, const void* from, int incx, void* to,
                                      int incy) {
  return cublasSetMatrix(1, n, size, from, incx, to, incy);
}
inline cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* from,
                                           int lda, void* to, int ldb, cudaStream_t) {
  return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
inline cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* from,
                                           int lda, void* to, int ldb, cudaStream_t) {
  return cublasSetMatrix(rows, columns, size, from, lda, to, ldb);
}
inline cublasStatus_t cublasSetVectorAsync(int n, int size, const void* from, int incx, void* to,
                                           int incy, cudaStream_t) {
  return cublasSetMatrix(1, n, size, from, incx, to, incy);
}
inline cublasStatus_t cublasGetVectorAsync(int n, int size, const void* from, int incx, void* to,
                                           int incy, cudaStream_t) {
  return cublasSetMatrix(1, n, size, from, incx, to, incy);
}

namespace simt_blas {
// What a program's own class, one that holds an array, becomes where a pointer is asked for.
template <typename A>
auto plain(A& a) {
  if constexpr (std::is_class_v<A> && requires { +a; })
    return +a;
  else
    return a;
}
}  // namespace simt_blas
#define SIMT_BLAS_FORWARD(Name, function)                          \
  template <typename... A>                                         \
  inline cublasStatus_t cublas##Name(cublasHandle_t h, A&&... a) { \
    return simt_blas::function(h, simt_blas::plain(a)...);         \
  }
#include "simt_blas/factors.h"
#include "simt_blas/products.h"
#include "simt_blas/vectors.h"
#undef SIMT_BLAS_FORWARD

#include "simt/device/names_end.h"
