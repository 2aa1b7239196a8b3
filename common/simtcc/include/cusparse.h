// cuSPARSE's generic interface for programs on the executor: sparse matrices of compressed rows
// (CSR), of compressed columns (CSC) and of triples (COO), times a vector or a dense matrix, and to
// dense ones. Computed on the host like cublas_api.h's; what is not here does not compile.
#pragma once

#include "cublas_api.h"
#include "simt/device/names_begin.h"

enum cusparseStatus_t {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10
};
enum cusparseOperation_t {
  CUSPARSE_OPERATION_NON_TRANSPOSE,
  CUSPARSE_OPERATION_TRANSPOSE,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
};
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW };
enum cusparsePointerMode_t { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE };
enum cusparseSpMVAlg_t {
  CUSPARSE_SPMV_ALG_DEFAULT,
  CUSPARSE_MV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1,
  CUSPARSE_SPMV_CSR_ALG1,
  CUSPARSE_SPMV_CSR_ALG2,
  CUSPARSE_SPMV_COO_ALG2
};
enum cusparseSpMMAlg_t {
  CUSPARSE_SPMM_ALG_DEFAULT,
  CUSPARSE_SPMM_COO_ALG1,
  CUSPARSE_SPMM_COO_ALG2,
  CUSPARSE_SPMM_COO_ALG3,
  CUSPARSE_SPMM_CSR_ALG1,
  CUSPARSE_SPMM_COO_ALG4,
  CUSPARSE_SPMM_CSR_ALG2,
  CUSPARSE_SPMM_CSR_ALG3 = 12
};
enum cusparseSparseToDenseAlg_t { CUSPARSE_SPARSETODENSE_ALG_DEFAULT };

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointers = CUSPARSE_POINTER_MODE_HOST;
};
using cusparseHandle_t = cusparseContext*;
// outer: of compressed rows or columns where they begin, of triples the rows.
struct cusparseSpMatDescr {
  enum Format { csr, csc, coo } format;
  int64_t rows, columns, entries;
  void *outer, *inner, *values;
  cusparseIndexType_t outerType, innerType;
  cusparseIndexBase_t base;
  cudaDataType type;
};
using cusparseSpMatDescr_t = cusparseSpMatDescr*;
using cusparseConstSpMatDescr_t = const cusparseSpMatDescr*;
struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};
using cusparseDnVecDescr_t = cusparseDnVecDescr*;
using cusparseConstDnVecDescr_t = const cusparseDnVecDescr*;
struct cusparseDnMatDescr {
  int64_t rows, columns, stride;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
};
using cusparseDnMatDescr_t = cusparseDnMatDescr*;
using cusparseConstDnMatDescr_t = const cusparseDnMatDescr*;

inline const char* cusparseGetErrorString(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_SUCCESS ? "success" : "failed";
}
inline const char* cusparseGetErrorName(cusparseStatus_t status) {
  return cusparseGetErrorString(status);
}
inline cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle,
                                               cusparsePointerMode_t mode) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  handle->pointers = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

namespace simt_sparse {

using simt_blas::Problem;

// A description of something, made and deleted.
template <typename D>
cusparseStatus_t made(D** place, D description) {
  if (!place) return CUSPARSE_STATUS_INVALID_VALUE;
  *place = new D(description);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t statusOf(const Problem& problem) {
  return problem.status == CUBLAS_STATUS_SUCCESS         ? CUSPARSE_STATUS_SUCCESS
         : problem.status == CUBLAS_STATUS_INVALID_VALUE ? CUSPARSE_STATUS_INVALID_VALUE
                                                         : CUSPARSE_STATUS_EXECUTION_FAILED;
}
inline std::vector<int64_t> indices(Problem& problem, const void* at, int64_t count,
                                    cusparseIndexType_t type, int64_t base) {
  std::vector<int64_t> result(static_cast<size_t>(count));
  const auto read = [&](auto zero) {
    std::vector<decltype(zero)> raw(result.size());
    if (count > 0)
      problem.did(cudaMemcpy(raw.data(), at, raw.size() * sizeof zero, cudaMemcpyDefault));
    for (size_t i = 0; i < raw.size(); ++i) result[i] = int64_t(raw[i]) - base;
  };
  type == CUSPARSE_INDEX_64I ? read(int64_t()) : read(int32_t());
  return result;
}
// Calls work(row, column, value) for each entry.
template <typename T, typename Work>
SIMT_BLAS_HOST void forEntries(Problem& problem, const cusparseSpMatDescr& m, Work work) {
  using Format = cusparseSpMatDescr;
  const int64_t base = m.base == CUSPARSE_INDEX_BASE_ONE;
  const int64_t lines = m.format == Format::csc ? m.columns : m.rows;
  const std::vector<int64_t> inner = indices(problem, m.inner, m.entries, m.innerType, base),
                             outer = indices(problem, m.outer,
                                             m.format == Format::coo ? m.entries : lines + 1,
                                             m.outerType, base);
  simt_blas::Matrix<T> values(problem, static_cast<const T*>(m.values), 1, m.entries, 1);
  const auto entry = [&](int64_t line, int64_t i) {
    const int64_t place = inner[size_t(i)];
    const int64_t row = m.format == Format::csc ? place : line,
                  column = m.format == Format::csc ? line : place;
    problem.meets(row >= 0 && row < m.rows && column >= 0 && column < m.columns);
    if (!problem.status) work(row, column, values[i]);
  };
  if (problem.status) return;
  if (m.format == Format::coo)
    for (int64_t i = 0; i < m.entries; ++i) entry(outer[size_t(i)], i);
  else
    for (int64_t line = 0; line < lines; ++line)
      for (int64_t i = outer[size_t(line)]; i < outer[size_t(line) + 1]; ++i) {
        problem.meets(i >= 0 && i < m.entries);
        if (problem.status) return;
        entry(line, i);
      }
}
template <typename Work>
cusparseStatus_t withType(cudaDataType type, Work work) {
  if (type == CUDA_R_32F) return work((float*)nullptr);
  if (type == CUDA_R_64F) return work((double*)nullptr);
  if (type == CUDA_R_16F) return work((__half*)nullptr);
  if (type == CUDA_C_32F) return work((cuComplex*)nullptr);
  if (type == CUDA_C_64F) return work((cuDoubleComplex*)nullptr);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

// A dense matrix, whatever its order.
template <typename T>
struct Dense {
  simt_blas::Matrix<T> matrix;
  bool byRows;
  Dense(Problem& problem, const cusparseDnMatDescr& d)
      : matrix(problem, static_cast<const T*>(d.values),
               d.order == CUSPARSE_ORDER_ROW ? d.columns : d.rows,
               d.order == CUSPARSE_ORDER_ROW ? d.rows : d.columns, d.stride),
        byRows(d.order == CUSPARSE_ORDER_ROW) {}
  auto& operator()(int64_t row, int64_t column) {
    return byRows ? matrix(column, row) : matrix(row, column);
  }
};
// C = alpha op(A) op(B) + beta C.
template <typename T>
SIMT_BLAS_HOST cusparseStatus_t multiply(cusparseOperation_t opA, cusparseOperation_t opB,
                                         const void* alpha, const cusparseSpMatDescr& a,
                                         const cusparseDnMatDescr& b, const void* beta,
                                         const cusparseDnMatDescr& c) {
  using Its = simt_blas::Number<T>;
  Problem problem;
  const Its factor = simt_blas::scalar(problem, static_cast<const Its*>(alpha)),
            keep = simt_blas::scalar(problem, static_cast<const Its*>(beta));
  Dense<T> from(problem, b), to(problem, c);
  if (problem.status) return statusOf(problem);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t k = 0; k < c.columns; ++k) to(i, k) = keep == Its() ? Its() : keep * to(i, k);
  forEntries<T>(problem, a, [&](int64_t row, int64_t column, Its value) {
    if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE) std::swap(row, column);
    if (opA == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) value = simt_blas::conjugate(value);
    problem.meets(row < c.rows);
    if (problem.status) return;
    for (int64_t k = 0; k < c.columns; ++k)
      to(row, k) += factor * value *
                    (opB == CUSPARSE_OPERATION_NON_TRANSPOSE ? from(column, k) : from(k, column));
  });
  to.matrix.writeBack();
  return statusOf(problem);
}

}  // namespace simt_sparse

inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* m, int64_t rows, int64_t columns,
                                          int64_t entries, void* offsets, void* indices,
                                          void* values, cusparseIndexType_t offsetsType,
                                          cusparseIndexType_t indicesType, cusparseIndexBase_t base,
                                          cudaDataType type) {
  return simt_sparse::made(m, {cusparseSpMatDescr::csr, rows, columns, entries, offsets, indices,
                               values, offsetsType, indicesType, base, type});
}
inline cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* m, int64_t rows, int64_t columns,
                                          int64_t entries, void* offsets, void* indices,
                                          void* values, cusparseIndexType_t offsetsType,
                                          cusparseIndexType_t indicesType, cusparseIndexBase_t base,
                                          cudaDataType type) {
  return simt_sparse::made(m, {cusparseSpMatDescr::csc, rows, columns, entries, offsets, indices,
                               values, offsetsType, indicesType, base, type});
}
inline cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* m, int64_t rows, int64_t columns,
                                          int64_t entries, void* rowIndices, void* columnIndices,
                                          void* values, cusparseIndexType_t indicesType,
                                          cusparseIndexBase_t base, cudaDataType type) {
  return simt_sparse::made(m, {cusparseSpMatDescr::coo, rows, columns, entries, rowIndices,
                               columnIndices, values, indicesType, indicesType, base, type});
}
inline cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t m) {
  delete m;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* v, int64_t size, void* values,
                                            cudaDataType type) {
  return simt_sparse::made(v, {size, values, type});
}
inline cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t v) {
  delete v;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* m, int64_t rows, int64_t columns,
                                            int64_t stride, void* values, cudaDataType type,
                                            cusparseOrder_t order) {
  return simt_sparse::made(m, {rows, columns, stride, values, type, order});
}
inline cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t m) {
  delete m;
  return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void* alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                     const void* beta, cusparseDnMatDescr_t c, cudaDataType,
                                     cusparseSpMMAlg_t, void*) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != b->type || a->type != c->type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return simt_sparse::withType(a->type, [&](auto* type) {
    return simt_sparse::multiply<std::remove_pointer_t<decltype(type)>>(opA, opB, alpha, *a, *b,
                                                                        beta, *c);
  });
}
inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op,
                                     const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstDnVecDescr_t x, const void* beta,
                                     cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t,
                                     void*) {
  cusparseDnMatDescr from{x->size, 1, x->size, x->values, x->type, CUSPARSE_ORDER_COL},
      to{y->size, 1, y->size, y->values, y->type, CUSPARSE_ORDER_COL};
  return cusparseSpMM(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, &from, beta, &to,
                      type, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
}
inline cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                              cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t,
                                              void*) {
  if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return simt_sparse::withType(a->type, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    simt_sparse::Problem problem;
    simt_sparse::Dense<T> to(problem, *b);
    if (problem.status) return simt_sparse::statusOf(problem);
    for (int64_t i = 0; i < b->rows; ++i)
      for (int64_t k = 0; k < b->columns; ++k) to(i, k) = {};
    simt_sparse::forEntries<T>(problem, *a,
                               [&](int64_t row, int64_t column, auto v) { to(row, column) = v; });
    to.matrix.writeBack();
    return simt_sparse::statusOf(problem);
  });
}
// None of them needs room of its own.
inline cusparseStatus_t simtSparseNoRoom(size_t* bytes) {
  if (!bytes) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t,
                                                cusparseConstDnVecDescr_t, const void*,
                                                cusparseDnVecDescr_t, cudaDataType,
                                                cusparseSpMVAlg_t, size_t* bytes) {
  return simtSparseNoRoom(bytes);
}
inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                                cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t,
                                                cusparseConstDnMatDescr_t, const void*,
                                                cusparseDnMatDescr_t, cudaDataType,
                                                cusparseSpMMAlg_t, size_t* bytes) {
  return simtSparseNoRoom(bytes);
}
inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t,
                                                         cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t,
                                                         cusparseSparseToDenseAlg_t,
                                                         size_t* bytes) {
  return simtSparseNoRoom(bytes);
}

#include "simt/device/names_end.h"
