// Batches of matrices as products of triangles (LU, rows swapped), what they solve, and inverses.
// Part of cublas_v2.h.
#pragma once

#include "products.h"

namespace simt_blas {

template <typename T>
SIMT_BLAS_HOST void give(Problem& problem, T* to, const std::vector<T>& values) {
  problem.did(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyDefault));
}
template <typename T>
SIMT_BLAS_HOST std::vector<int> pivotsOf(Problem& problem, const T* pivots, size_t n) {
  std::vector<int> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = int(i + 1);
  if (pivots) problem.did(cudaMemcpy(all.data(), pivots, n * sizeof(int), cudaMemcpyDefault));
  return all;
}

// Its triangles in its place. What LAPACK's info says: 0, or the first column without a pivot.
template <typename T>
SIMT_BLAS_HOST int factor(Matrix<T>& a, std::vector<int>* pivots) {
  int info = 0;
  const long long n = a.rows;
  for (long long k = 0; k < n; ++k) {
    long long row = k;
    for (long long i = k; pivots && i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(row, k))) row = i;
    if (pivots) pivots->push_back(int(row + 1));
    for (long long j = 0; j < n && row != k; ++j) std::swap(a(k, j), a(row, j));
    if (a(k, k) == Number<T>()) {
      info = info ? info : int(k + 1);
      continue;
    }
    for (long long i = k + 1; i < n; ++i) {
      a(i, k) /= a(k, k);
      for (long long j = k + 1; j < n; ++j) a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return info;
}
// op(A) X = B for all columns of B, in its place.
template <typename T>
SIMT_BLAS_HOST void solve(Matrix<T>& lu, cublasOperation_t op, const int* pivots, Matrix<T>& b) {
  const long long n = lu.rows;
  const bool plain = op == CUBLAS_OP_N;
  const auto swapRows = [&](long long k, long long column) {
    if (pivots[k] - 1 != k) std::swap(b(k, column), b(pivots[k] - 1, column));
  };
  for (long long j = 0; j < b.columns; ++j) {
    for (long long k = 0; k < n && plain; ++k) swapRows(k, j);
    for (long long i = 0; i < n; ++i) {
      for (long long k = 0; k < i; ++k) b(i, j) -= lu.under(op, i, k) * b(k, j);
      if (!plain) b(i, j) /= lu.under(op, i, i);
    }
    for (long long i = n - 1; i >= 0; --i) {
      for (long long k = i + 1; k < n; ++k) b(i, j) -= lu.under(op, i, k) * b(k, j);
      if (plain) b(i, j) /= lu(i, i);
    }
    for (long long k = n - 1; k >= 0 && !plain; --k) swapRows(k, j);
  }
}

template <typename T>
SIMT_BLAS_HOST cublasStatus_t getrf(cublasHandle_t h, int n, T* const* a, int lda, int* pivots,
                                    int* info, int count) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  Problem problem;
  std::vector<int> infos, all;
  for (T* const one : listed(problem, a, count)) {
    Matrix<T> matrix(problem, one, n, n, lda);
    if (problem.status) return problem.status;
    infos.push_back(factor(matrix, pivots ? &all : nullptr));
    matrix.writeBack();
  }
  if (pivots) give(problem, pivots, all);
  give(problem, info, infos);
  return problem.status;
}
template <typename T>
SIMT_BLAS_HOST cublasStatus_t getrs(cublasHandle_t h, cublasOperation_t op, int n, int columns,
                                    const T* const* a, int lda, const int* pivots, T* const* b,
                                    int ldb, int* info, int count) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  Problem problem;
  const auto as = listed(problem, a, count);
  const auto bs = listed(problem, b, count);
  const auto rows = pivotsOf(problem, pivots, size_t(n) * as.size());
  for (size_t i = 0; i < as.size() && i < bs.size(); ++i) {
    Matrix<T> lu(problem, as[i], n, n, lda), right(problem, bs[i], n, columns, ldb);
    if (problem.status) return problem.status;
    solve(lu, op, rows.data() + (pivots ? i * size_t(n) : 0), right);
    right.writeBack();
  }
  if (info) *info = problem.status ? -1 : 0;
  return problem.status;
}
// The inverse of what getrf has made, or of what nobody has factored yet.
template <typename T>
SIMT_BLAS_HOST cublasStatus_t inverse(cublasHandle_t h, int n, const T* const* a, int lda,
                                      const int* pivots, T* const* c, int ldc, int* info, int count,
                                      bool isFactored) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  Problem problem;
  const auto as = listed(problem, a, count);
  const auto cs = listed(problem, c, count);
  const auto rows = pivotsOf(problem, pivots, size_t(n) * as.size());
  std::vector<int> infos;
  for (size_t i = 0; i < as.size() && i < cs.size(); ++i) {
    Matrix<T> lu(problem, as[i], n, n, lda), to(problem, cs[i], n, n, ldc, false);
    if (problem.status) return problem.status;
    std::vector<int> own;
    infos.push_back(isFactored ? 0 : factor(lu, &own));
    for (long long k = 0; k < n; ++k) {
      to(k, k) = Number<T>(1);
      if (lu(k, k) == Number<T>() && !infos.back()) infos.back() = int(k + 1);
    }
    if (infos.back()) continue;
    solve(lu, CUBLAS_OP_N, isFactored ? rows.data() + (pivots ? i * size_t(n) : 0) : own.data(),
          to);
    to.writeBack();
  }
  give(problem, info, infos);
  return problem.status;
}

}  // namespace simt_blas

#define SIMT_BLAS_FACTORS(L, T)                                                                    \
  inline cublasStatus_t cublas##L##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda,    \
                                                int* pivots, int* info, int count) {               \
    return simt_blas::getrf(h, n, a, lda, pivots, info, count);                                    \
  }                                                                                                \
  inline cublasStatus_t cublas##L##getrsBatched(                                                   \
      cublasHandle_t h, cublasOperation_t op, int n, int columns, const T* const a[], int lda,     \
      const int* pivots, T* const b[], int ldb, int* info, int count) {                            \
    return simt_blas::getrs(h, op, n, columns, a, lda, pivots, b, ldb, info, count);               \
  }                                                                                                \
  inline cublasStatus_t cublas##L##getriBatched(cublasHandle_t h, int n, const T* const a[],       \
                                                int lda, const int* pivots, T* const c[], int ldc, \
                                                int* info, int count) {                            \
    return simt_blas::inverse(h, n, a, lda, pivots, c, ldc, info, count, true);                    \
  }                                                                                                \
  inline cublasStatus_t cublas##L##matinvBatched(cublasHandle_t h, int n, const T* const a[],      \
                                                 int lda, T* const c[], int ldc, int* info,        \
                                                 int count) {                                      \
    return simt_blas::inverse(h, n, a, lda, (const int*)nullptr, c, ldc, info, count, false);      \
  }
SIMT_BLAS_FACTORS(S, float)
SIMT_BLAS_FACTORS(D, double)
SIMT_BLAS_FACTORS(C, cuComplex)
SIMT_BLAS_FACTORS(Z, cuDoubleComplex)
#undef SIMT_BLAS_FACTORS
