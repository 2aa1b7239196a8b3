// Triangular systems and products, symmetric matrices: part of cublas_v2.h.
#pragma once

#include "../cublas_api.h"

namespace simt_blas {

template <typename T>
struct Scalars {
  Number<T> alpha, beta;
  Scalars(Problem& problem, cublasHandle_t handle, const T* a, const T* b) {
    if (!handle) problem.status = CUBLAS_STATUS_NOT_INITIALIZED;
    alpha = scalar(problem, a), beta = scalar(problem, b);
  }
};
// Element (i, k) of a matrix of which a triangle is stored.
template <typename T>
Number<T> ofTriangle(Matrix<T>& a, bool lower, bool unit, long long i, long long k) {
  if (i == k && unit) return Number<T>(1);
  return (lower ? i >= k : i <= k) ? a(i, k) : Number<T>();
}
template <typename T>
Number<T> underTriangle(Matrix<T>& a, cublasOperation_t op, bool lower, bool unit, long long i,
                        long long k) {
  if (op == CUBLAS_OP_N) return ofTriangle(a, lower, unit, i, k);
  const Number<T> value = ofTriangle(a, lower, unit, k, i);
  return op == CUBLAS_OP_T ? value : conjugate(value);
}

// op(A) X = alpha B or X op(A) = alpha B, into B.
template <typename T>
SIMT_BLAS_HOST cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                                   cublasOperation_t op, cublasDiagType_t diag, int m, int n,
                                   const T* alpha, const T* a, int lda, T* b, int ldb) {
  Problem problem;
  const Scalars<T> s(problem, h, alpha, alpha);
  const bool left = side == CUBLAS_SIDE_LEFT, lower = uplo == CUBLAS_FILL_MODE_LOWER,
             unit = diag == CUBLAS_DIAG_UNIT;
  const long long size = left ? m : n, others = left ? n : m;
  Matrix<T> t(problem, a, size, size, lda), x(problem, b, m, n, ldb);
  if (problem.status) return problem.status;
  // The first unknown of a lower triangle is known first, whichever side it stands on.
  const bool forward = (lower == (op == CUBLAS_OP_N)) == left;
  for (long long o = 0; o < others; ++o)
    for (long long step = 0; step < size; ++step) {
      const long long i = forward ? step : size - 1 - step;
      auto& value = left ? x(i, o) : x(o, i);
      value *= s.alpha;
      for (long long before = 0; before < step; ++before) {
        const long long k = forward ? before : size - 1 - before;
        value -= left ? underTriangle(t, op, lower, unit, i, k) * x(k, o)
                      : underTriangle(t, op, lower, unit, k, i) * x(o, k);
      }
      if (!unit) value /= underTriangle(t, op, lower, unit, i, i);
    }
  x.writeBack();
  return problem.status;
}
template <typename T>
SIMT_BLAS_HOST cublasStatus_t trmm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                                   cublasOperation_t op, cublasDiagType_t diag, int m, int n,
                                   const T* alpha, const T* a, int lda, const T* b, int ldb, T* c,
                                   int ldc) {
  Problem problem;
  const Scalars<T> s(problem, h, alpha, alpha);
  const bool left = side == CUBLAS_SIDE_LEFT, lower = uplo == CUBLAS_FILL_MODE_LOWER,
             unit = diag == CUBLAS_DIAG_UNIT;
  const long long size = left ? m : n;
  Matrix<T> t(problem, a, size, size, lda), x(problem, b, m, n, ldb),
      y(problem, c, m, n, ldc, false);
  if (problem.status) return problem.status;
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < m; ++i) {
      Number<T> sum{};
      for (long long k = 0; k < size; ++k)
        sum += left ? underTriangle(t, op, lower, unit, i, k) * x(k, j)
                    : x(i, k) * underTriangle(t, op, lower, unit, k, j);
      y(i, j) = s.alpha * sum;
    }
  y.writeBack();
  return problem.status;
}
// The same of a vector: a column of one, or, where it has gaps, a row.
template <bool Solves, typename T>
cublasStatus_t triangleAndVector(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op,
                                 cublasDiagType_t diag, int n, const T* a, int lda, T* x,
                                 int incx) {
  if (incx < 1 || (incx > 1 && op == CUBLAS_OP_C)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Number<T> one(1);
  const T* const alpha = reinterpret_cast<const T*>(&one);
  const bool row = incx > 1;
  if (row) op = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
  const auto side = row ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
  const int rows = row ? 1 : n, columns = row ? n : 1, ld = row ? incx : n;
  if constexpr (Solves)
    return trsm(h, side, uplo, op, diag, rows, columns, alpha, a, lda, x, ld);
  else
    return trmm(h, side, uplo, op, diag, rows, columns, alpha, a, lda, x, ld, x, ld);
}
template <typename T>
cublasStatus_t trsv(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op,
                    cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx) {
  return triangleAndVector<true>(h, uplo, op, diag, n, a, lda, x, incx);
}
template <typename T>
cublasStatus_t trmv(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op,
                    cublasDiagType_t diag, int n, const T* a, int lda, T* x, int incx) {
  return triangleAndVector<false>(h, uplo, op, diag, n, a, lda, x, incx);
}
template <typename T>
SIMT_BLAS_HOST cublasStatus_t symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo,
                                   int m, int n, const T* alpha, const T* a, int lda, const T* b,
                                   int ldb, const T* beta, T* c, int ldc) {
  Problem problem;
  const Scalars<T> s(problem, h, alpha, beta);
  const bool left = side == CUBLAS_SIDE_LEFT, lower = uplo == CUBLAS_FILL_MODE_LOWER;
  const long long size = left ? m : n;
  Matrix<T> t(problem, a, size, size, lda), x(problem, b, m, n, ldb), y(problem, c, m, n, ldc);
  if (problem.status) return problem.status;
  const auto element = [&](long long i, long long k) {
    return (lower ? i >= k : i <= k) ? t(i, k) : t(k, i);
  };
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < m; ++i) {
      Number<T> sum{};
      for (long long k = 0; k < size; ++k)
        sum += left ? element(i, k) * x(k, j) : x(i, k) * element(k, j);
      y(i, j) = s.alpha * sum + (s.beta == Number<T>() ? Number<T>() : s.beta * y(i, j));
    }
  y.writeBack();
  return problem.status;
}
// C = alpha op(A) op(A)' + beta C, of which a triangle is stored.
template <typename T>
SIMT_BLAS_HOST cublasStatus_t syrk(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t op,
                                   int n, int k, const T* alpha, const T* a, int lda, const T* beta,
                                   T* c, int ldc) {
  Problem problem;
  const Scalars<T> s(problem, h, alpha, beta);
  const bool plain = op == CUBLAS_OP_N;
  Matrix<T> from(problem, a, plain ? n : k, plain ? k : n, lda), to(problem, c, n, n, ldc);
  if (problem.status) return problem.status;
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < n; ++i) {
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) continue;
      Number<T> sum{};
      for (long long l = 0; l < k; ++l) sum += from.under(op, i, l) * from.under(op, j, l);
      to(i, j) = s.alpha * sum + (s.beta == Number<T>() ? Number<T>() : s.beta * to(i, j));
    }
  to.writeBack();
  return problem.status;
}

}  // namespace simt_blas
