// Vectors, and matrices with vectors: part of cublas_v2.h.
#pragma once

#include "../cublas_api.h"

namespace simt_blas {

inline bool begins(Problem& problem, cublasHandle_t handle) {
  if (!handle) problem.status = CUBLAS_STATUS_NOT_INITIALIZED;
  return !problem.status;
}
template <typename N>
double sizeOf(N x) {
  if constexpr (std::is_arithmetic_v<N>)
    return std::abs(double(x));
  else
    return std::abs(double(x.real())) + std::abs(double(x.imag()));
}

// One pass over one vector or two: work(x, y), which are written back where they change.
template <bool ChangesX, bool ChangesY, typename T, typename Work>
SIMT_BLAS_HOST cublasStatus_t overPairs(cublasHandle_t handle, Problem& problem, int n, const T* x,
                                        int incx, const T* y, int incy, Work work) {
  if (!begins(problem, handle) || n <= 0) return problem.status;
  Matrix<T> a = vectorOf(problem, x, n, incx), b = vectorOf(problem, y, n, incy);
  if (problem.status) return problem.status;
  for (long long i = 0; i < n; ++i) work(a[placeIn(i, n, incx)], b[placeIn(i, n, incy)]);
  if (ChangesX) a.writeBack();
  if (ChangesY) b.writeBack();
  return problem.status;
}
template <typename T>
cublasStatus_t axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  Problem problem;
  const auto a = scalar(problem, alpha);
  return overPairs<false, true>(h, problem, n, x, incx, y, incy,
                                [a](auto& u, auto& v) { v += a * u; });
}
template <typename T, typename S>
cublasStatus_t scale(cublasHandle_t h, int n, const S* alpha, T* x, int incx) {
  Problem problem;
  const auto a = scalar(problem, alpha);
  return overPairs<true, false>(h, problem, n, x, incx, x, incx, [a](auto& u, auto&) { u *= a; });
}
template <typename T>
cublasStatus_t copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {
  Problem problem;
  if (!begins(problem, h) || n <= 0) return problem.status;
  Matrix<T> a = vectorOf(problem, x, n, incx), b = vectorOf(problem, y, n, incy, incy != 1);
  if (problem.status) return problem.status;
  for (long long i = 0; i < n; ++i) b[placeIn(i, n, incy)] = a[placeIn(i, n, incx)];
  b.writeBack();
  return problem.status;
}
template <typename T>
cublasStatus_t swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {
  Problem problem;
  return overPairs<true, true>(h, problem, n, x, incx, y, incy,
                               [](auto& u, auto& v) { std::swap(u, v); });
}
template <typename T, typename R>
cublasStatus_t rotate(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const R* c,
                      const R* s) {
  Problem problem;
  const auto cosine = scalar(problem, c), sine = scalar(problem, s);
  return overPairs<true, true>(h, problem, n, x, incx, y, incy, [=](auto& u, auto& v) {
    const auto old = u;
    u = cosine * u + sine * v;
    v = cosine * v - sine * old;
  });
}
template <bool Conjugates, typename T>
cublasStatus_t dot(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* result) {
  Problem problem;
  // Sums of float as double: a GPU adds in many parts, none of which loses much.
  using Sum = std::conditional_t<std::is_same_v<Number<T>, float>, double,
                                 std::conditional_t<std::is_same_v<Number<T>, std::complex<float>>,
                                                    std::complex<double>, Number<T>>>;
  Sum sum{};
  overPairs<false, false>(h, problem, n, x, incx, y, incy, [&](auto& u, auto& v) {
    sum += Sum(Conjugates ? conjugate(u) : u) * Sum(v);
  });
  if (!problem.status) giveScalar(problem, result, Number<T>(sum));
  return problem.status;
}
// 1 for |x|, 2 for the root of squares.
template <int Power, typename T, typename R>
cublasStatus_t norm(cublasHandle_t h, int n, const T* x, int incx, R* result) {
  Problem problem;
  double sum = 0;
  overPairs<false, false>(h, problem, n, x, incx, x, incx, [&](auto& u, auto&) {
    sum += Power == 1 ? sizeOf(u) : double(std::norm(u));
  });
  if (!problem.status) giveScalar(problem, result, R(Power == 1 ? sum : std::sqrt(sum)));
  return problem.status;
}
// The place, from 1, of the largest or the smallest.
template <bool Largest, typename T>
cublasStatus_t extreme(cublasHandle_t h, int n, const T* x, int incx, int* result) {
  Problem problem;
  double best = 0;
  int at = 0, found = 0;
  overPairs<false, false>(h, problem, n, x, incx, x, incx, [&](auto& u, auto&) {
    const double size = sizeOf(u);
    if (++at == 1 || (Largest ? size > best : size < best)) best = size, found = at;
  });
  if (!problem.status) giveScalar(problem, result, found);
  return problem.status;
}

template <typename T, typename Element>
SIMT_BLAS_HOST cublasStatus_t timesVector(Problem& problem, int rows, int columns, const T* alpha,
                                          const T* x, int incx, const T* beta, T* y, int incy,
                                          Element element) {
  const auto a = scalar(problem, alpha), b = scalar(problem, beta);
  using N = Number<T>;
  Matrix<T> from = vectorOf(problem, x, columns, incx),
            to = vectorOf(problem, y, rows, incy, !(b == N()) || incy != 1);
  if (problem.status) return problem.status;
  std::vector<N> sums(static_cast<size_t>(rows));
  for (long long k = 0; k < columns; ++k)
    for (long long i = 0; i < rows; ++i)
      sums[size_t(i)] += element(i, k) * from[placeIn(k, columns, incx)];
  for (long long i = 0; i < rows; ++i) {
    N& each = to[placeIn(i, rows, incy)];
    each = a * sums[size_t(i)] + (b == N() ? N() : b * each);
  }
  to.writeBack();
  return problem.status;
}
template <typename T>
cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,
                    const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  Problem problem;
  if (!begins(problem, h)) return problem.status;
  problem.meets(m >= 0 && n >= 0);
  if (m <= 0 || n <= 0) return problem.status;
  Matrix<T> matrix(problem, a, m, n, lda);
  const bool plain = op == CUBLAS_OP_N;
  return timesVector(problem, plain ? m : n, plain ? n : m, alpha, x, incx, beta, y, incy,
                     [&](long long i, long long k) { return matrix.under(op, i, k); });
}
template <bool Conjugates, typename T>
cublasStatus_t symv(cublasHandle_t h, cublasFillMode_t uplo, int n, const T* alpha, const T* a,
                    int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  Problem problem;
  if (!begins(problem, h) || n <= 0) return problem.status;
  Matrix<T> matrix(problem, a, n, n, lda);
  return timesVector(problem, n, n, alpha, x, incx, beta, y, incy, [&](long long i, long long k) {
    const bool stored = uplo == CUBLAS_FILL_MODE_LOWER ? i >= k : i <= k;
    return stored ? matrix(i, k) : Conjugates ? conjugate(matrix(k, i)) : matrix(k, i);
  });
}
template <bool Conjugates, typename T>
SIMT_BLAS_HOST cublasStatus_t ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x,
                                  int incx, const T* y, int incy, T* a, int lda) {
  Problem problem;
  if (!begins(problem, h) || m <= 0 || n <= 0) return problem.status;
  const auto factor = scalar(problem, alpha);
  Matrix<T> matrix(problem, a, m, n, lda), u = vectorOf(problem, x, m, incx),
                                           v = vectorOf(problem, y, n, incy);
  if (problem.status) return problem.status;
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < m; ++i) {
      const auto right = v[placeIn(j, n, incy)];
      matrix(i, j) += factor * u[placeIn(i, m, incx)] * (Conjugates ? conjugate(right) : right);
    }
  matrix.writeBack();
  return problem.status;
}
template <typename T>
SIMT_BLAS_HOST cublasStatus_t syr(cublasHandle_t h, cublasFillMode_t uplo, int n, const T* alpha,
                                  const T* x, int incx, T* a, int lda) {
  Problem problem;
  if (!begins(problem, h) || n <= 0) return problem.status;
  const auto factor = scalar(problem, alpha);
  Matrix<T> matrix(problem, a, n, n, lda), u = vectorOf(problem, x, n, incx);
  if (problem.status) return problem.status;
  for (long long j = 0; j < n; ++j)
    for (long long i = 0; i < n; ++i)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j)
        matrix(i, j) += factor * u[placeIn(i, n, incx)] * u[placeIn(j, n, incx)];
  matrix.writeBack();
  return problem.status;
}

}  // namespace simt_blas

#define SIMT_BLAS_VECTORS(L, R, i)              \
  SIMT_BLAS_FORWARD(L##axpy, axpy)              \
  SIMT_BLAS_FORWARD(L##scal, scale)             \
  SIMT_BLAS_FORWARD(L##copy, copy)              \
  SIMT_BLAS_FORWARD(L##swap, swap)              \
  SIMT_BLAS_FORWARD(L##rot, rotate)             \
  SIMT_BLAS_FORWARD(R##nrm2, norm<2>)           \
  SIMT_BLAS_FORWARD(R##asum, norm<1>)           \
  SIMT_BLAS_FORWARD(I##i##amax, extreme<true>)  \
  SIMT_BLAS_FORWARD(I##i##amin, extreme<false>) \
  SIMT_BLAS_FORWARD(L##gemv, gemv)              \
  SIMT_BLAS_FORWARD(L##symv, symv<false>)       \
  SIMT_BLAS_FORWARD(L##syr, syr)
SIMT_BLAS_VECTORS(S, S, s)
SIMT_BLAS_VECTORS(D, D, d)
SIMT_BLAS_VECTORS(C, Sc, c)
SIMT_BLAS_VECTORS(Z, Dz, z)
#undef SIMT_BLAS_VECTORS
SIMT_BLAS_FORWARD(Csscal, scale)
SIMT_BLAS_FORWARD(Zdscal, scale)
SIMT_BLAS_FORWARD(Sdot, dot<false>)
SIMT_BLAS_FORWARD(Ddot, dot<false>)
SIMT_BLAS_FORWARD(Cdotu, dot<false>)
SIMT_BLAS_FORWARD(Cdotc, dot<true>)
SIMT_BLAS_FORWARD(Zdotu, dot<false>)
SIMT_BLAS_FORWARD(Zdotc, dot<true>)
SIMT_BLAS_FORWARD(Sger, ger<false>)
SIMT_BLAS_FORWARD(Dger, ger<false>)
SIMT_BLAS_FORWARD(Cgeru, ger<false>)
SIMT_BLAS_FORWARD(Cgerc, ger<true>)
SIMT_BLAS_FORWARD(Zgeru, ger<false>)
SIMT_BLAS_FORWARD(Zgerc, ger<true>)
SIMT_BLAS_FORWARD(Chemv, symv<true>)
SIMT_BLAS_FORWARD(Zhemv, symv<true>)
