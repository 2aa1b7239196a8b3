// cuBLAS: vectors, products by columns, batches, triangular systems, factors, halves, scalars of the device.
// flags: -lcublas
// prints: axpy 1 1002 dot 332833504 nrm2 18243.7 asum 499500 amax 1000 scal 1998
// prints: gemm 38 44 89 104 transposed 1 beta 76
// prints: gemv 5 14 23 ger 16
// prints: strided 1 batched 1 half 1 double 1 complex 1
// prints: trsm 1 device scalar 499500 bad 7
// prints: row means 15.5
// prints: inverse -0.5 0.5 1 -0.666667 1, swapped 1 0.5, solved -2 6 8 2.5, info 0 0
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUBLAS(call)                                                                        \
  do {                                                                                      \
    cublasStatus_t status_ = (call);                                                        \
    if (status_ != CUBLAS_STATUS_SUCCESS) {                                                 \
      fprintf(stderr, "cuBLAS %d at %s:%d\n", status_, __FILE__, __LINE__);                 \
      exit(EXIT_FAILURE);                                                                   \
    }                                                                                       \
  } while (0)

template <typename T>
T* onDevice(const std::vector<T>& h) {
  T* d;
  cudaMalloc(&d, h.size() * sizeof(T));
  cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <typename T>
std::vector<T> onHost(const T* d, size_t n) {
  std::vector<T> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return h;
}
template <typename T>
void reference(int m, int n, int k, const T* a, const T* b, T* c) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      T sum = 0;
      for (int l = 0; l < k; ++l) sum += a[l * m + i] * b[j * k + l];
      c[j * m + i] = sum;
    }
}
__global__ void fillHalf(__half* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = __float2half(float(i % 5));
}

int main() {
  cublasHandle_t handle;
  CUBLAS(cublasCreate(&handle));
  const int n = 1000;
  std::vector<float> hx(n), hy(n, 3);
  for (int i = 0; i < n; ++i) hx[i] = float(i);
  float *x = onDevice(hx), *y = onDevice(hy);
  float one = 1, two = 2, zero = 0, dot, norm, sum;
  int largest;
  CUBLAS(cublasSdot(handle, n, x, 1, x, 1, &dot));
  CUBLAS(cublasSnrm2(handle, n, x, 1, &norm));
  CUBLAS(cublasSasum(handle, n, x, 1, &sum));
  CUBLAS(cublasIsamax(handle, n, x, 1, &largest));
  CUBLAS(cublasSaxpy(handle, n, &one, x, 1, y, 1));
  const bool added = onHost(y, n)[7] == 10;
  const float last = onHost(y, n)[999];
  CUBLAS(cublasSscal(handle, n, &two, x, 1));
  std::printf("axpy %d %g dot %.0f nrm2 %.1f asum %.0f amax %d scal %g\n", added, last, dot, norm, sum, largest, onHost(x, n)[999]);

  // Row-major A (2 x 3) times B (3 x 2), as programs do: columns of the transposed.
  float* a = onDevice<float>({1, 2, 3, 4, 5, 6});
  float* b = onDevice<float>({4, 5, 5, 6, 8, 9});
  float* c = onDevice<float>({0, 0, 0, 0});
  CUBLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, b, 2, a, 3, &zero, c, 2));
  const std::vector<float> r = onHost(c, 4);
  float* t = onDevice<float>({0, 0, 0, 0});
  CUBLAS(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 3, &one, a, 3, b, 2, &zero, t, 2));
  const std::vector<float> first = onHost(c, 4), second = onHost(t, 4);
  const bool same = first[1] == second[2] && first[2] == second[1] && first[0] == second[0];
  CUBLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, b, 2, a, 3, &one, c, 2));
  std::printf("gemm %g %g %g %g transposed %d beta %g\n", r[0], r[1], r[2], r[3], same, onHost(c, 4)[0]);

  float* matrix = onDevice<float>({0, 3, 6, 1, 4, 7, 2, 5, 8});  // column by column
  float* v = onDevice<float>({0, 1, 2});
  float* w = onDevice<float>({9, 9, 9});
  CUBLAS(cublasSgemv(handle, CUBLAS_OP_N, 3, 3, &one, matrix, 3, v, 1, &zero, w, 1));
  const std::vector<float> product = onHost(w, 3);
  CUBLAS(cublasSger(handle, 3, 3, &two, v, 1, v, 1, matrix, 3));
  std::printf("gemv %g %g %g ger %g\n", product[0], product[1], product[2], onHost(matrix, 9)[8]);

  const int m = 17, k = 9, count = 3;
  std::vector<double> ha(m * k * count), hb(k * m * count), hc(m * m * count);
  for (size_t i = 0; i < ha.size(); ++i) ha[i] = double(i % 7) - 3, hb[i] = double(i % 5) - 1;
  for (int i = 0; i < count; ++i) reference(m, m, k, &ha[i * m * k], &hb[i * m * k], &hc[i * m * m]);
  double *da = onDevice(ha), *db = onDevice(hb), *dc, oneD = 1, zeroD = 0;
  cudaMalloc(&dc, hc.size() * sizeof(double));
  CUBLAS(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, k, &oneD, da, m, m * k, db, k, m * k, &zeroD, dc, m, m * m, count));
  const bool strided = onHost(dc, hc.size()) == hc;
  double **la = onDevice<double*>({da, da + m * k}), **lb = onDevice<double*>({db, db + m * k}), **lc = onDevice<double*>({dc + m * m, dc});
  CUBLAS(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, k, &oneD, (const double**)la, m, (const double**)lb, k, &zeroD, lc, m, 2));
  const std::vector<double> swapped = onHost(dc, hc.size());
  bool batched = true;
  for (int i = 0; i < m * m; ++i) batched = batched && swapped[m * m + i] == hc[i] && swapped[i] == hc[m * m + i];
  __half *half, *halfOut;
  cudaMalloc(&half, 64 * sizeof(__half)), cudaMalloc(&halfOut, 64 * sizeof(__half));
  fillHalf<<<1, 64>>>(half, 64);
  CUBLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, half, CUDA_R_16F, 8, half, CUDA_R_16F, 8, &zero, halfOut, CUDA_R_16F, 8,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  float expected = 0;
  for (int l = 0; l < 8; ++l) expected += float(l * 8 % 5) * float(l % 5);
  const bool halves = float(onHost(halfOut, 64)[0]) == expected;
  CUBLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, k, &oneD, da, m, db, k, &zeroD, dc, m));
  const bool doubles = onHost(dc, m * m) == std::vector<double>(hc.begin(), hc.begin() + m * m);
  cuComplex* z = onDevice<cuComplex>({{0, 1}, {0, 0}, {0, 0}, {0, 1}}), oneC = make_cuComplex(1, 0), zeroC = make_cuComplex(0, 0);
  CUBLAS(cublasCgemm(handle, CUBLAS_OP_N, CUBLAS_OP_C, 2, 2, 2, &oneC, z, 2, z, 2, &zeroC, z, 2));
  const std::vector<cuComplex> unit = onHost(z, 4);
  std::printf("strided %d batched %d half %d double %d complex %d\n", strided, batched, halves, doubles,
              unit[0].x == 1 && unit[0].y == 0 && unit[1].x == 0);

  double* lower = onDevice<double>({2, 1, 0, 4});
  double* right = onDevice<double>({2, 9});
  CUBLAS(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1, &oneD, lower, 2, right, 2));
  const std::vector<double> solved = onHost(right, 2);
  double* gaps = onDevice<double>({2, 0, 9});
  CUBLAS(cublasDtrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, lower, 2, gaps, 2));
  CUBLAS(cublasDtrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, lower, 2, right, 1));
  CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  float* result;
  cudaMalloc(&result, sizeof(float));
  float* half1 = onDevice<float>({0.5f});
  CUBLAS(cublasSscal(handle, n, half1, x, 1));
  CUBLAS(cublasSasum(handle, n, x, 1, result));
  CUBLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  const int bad = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 2, b, 4, &zero, c, 4);
  std::printf("trsm %d device scalar %g bad %d\n", solved[0] == 1 && solved[1] == 2 && onHost(gaps, 3)[2] == 2 && onHost(right, 2)[1] == 9, onHost(result, 1)[0], bad);

  std::vector<float> rows(32 * 4), ones(32, 1.0f / 32);
  for (int i = 0; i < 128; ++i) rows[i] = float(i % 32);
  float *dr = onDevice(rows), *d1 = onDevice(ones), *means = onDevice<float>({0, 0, 0, 0});
  CUBLAS(cublasSgemv(handle, CUBLAS_OP_T, 32, 4, &one, dr, 32, d1, 1, &zero, means, 1));
  std::printf("row means %g\n", onHost(means, 4)[3]);

  // Factors of two matrices, the second of which needs its rows swapped; what they solve, and inverses.
  double *ma = onDevice<double>({4, 3, 6, 3}), *mb = onDevice<double>({0, 2, 1, 0}), *ia = onDevice<double>({0, 0, 0, 0}), *ib = onDevice<double>({0, 0, 0, 0});
  double **list = onDevice<double*>({ma, mb}), **inverses = onDevice<double*>({ia, ib}), **rights = onDevice<double*>({right, lower});
  int *pivots = onDevice<int>({0, 0, 0, 0}), *info = onDevice<int>({7, 7}), status = 7;
  CUBLAS(cublasDmatinvBatched(handle, 2, list, 2, inverses, 2, info, 2));
  const std::vector<double> direct = onHost(ia, 4);
  CUBLAS(cublasDgetrfBatched(handle, 2, list, 2, pivots, info, 2));
  CUBLAS(cublasDgetriBatched(handle, 2, list, 2, pivots, inverses, 2, info, 2));
  cudaMemcpy(right, std::vector<double>{10, 6}.data(), 16, cudaMemcpyHostToDevice), cudaMemcpy(lower, std::vector<double>{5, 8}.data(), 16, cudaMemcpyHostToDevice);
  CUBLAS(cublasDgetrsBatched(handle, CUBLAS_OP_T, 2, 1, list, 2, pivots, rights, 2, &status, 2));
  const std::vector<double> inverse = onHost(ia, 4), turned = onHost(ib, 4);
  std::printf("inverse %g %g %g %g %d, swapped %g %g, solved %g %g %g %g, info %d %d\n", inverse[0], inverse[1], inverse[2], inverse[3], inverse == direct, turned[1],
              turned[2], onHost(right, 2)[0], onHost(right, 2)[1], onHost(lower, 2)[0], onHost(lower, 2)[1], onHost(info, 2)[1], status);
  CUBLAS(cublasDestroy_v2(handle));
}
