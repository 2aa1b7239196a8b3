// prints: 2mm 0 atax 0 bicg 0 mvt 0 gesummv 0 syr2k 0 fdtd 0 adi 0 correlation 0 jacobi1d 0
// Kernels of polyhedral suites: DATA_TYPE by macro, one kernel a loop nest, results within a threshold in per cent, a timer of its own.
#include <assert.h>
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
#define GPU_DEVICE 0
#define PERCENT_DIFF_ERROR_THRESHOLD 0.05
#define SMALL_FLOAT_VAL 0.00000001f
#ifndef NX
#define NX 48
#define NY 40
#endif
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8
typedef float DATA_TYPE;
double rtclock() { struct timezone Tzp; struct timeval Tp; int stat = gettimeofday(&Tp, &Tzp); if (stat != 0) printf("Error return from gettimeofday: %d", stat); return (Tp.tv_sec + Tp.tv_usec * 1.0e-6); }
float absVal(float a) { return a < 0 ? a * -1 : a; }
float percentDiff(double val1, double val2) { if ((absVal(val1) < 0.01) && (absVal(val2) < 0.01)) return 0.0f; return 100.0f * (absVal(absVal(val1 - val2) / absVal(val1 + SMALL_FLOAT_VAL))); }
#define POLYBENCH_2D_ARRAY(name, n, m) DATA_TYPE(*name)[m] = (DATA_TYPE(*)[m])calloc((n) * (m), sizeof(DATA_TYPE))
__global__ void mm2_kernel1(int ni, int nj, int nk, DATA_TYPE alpha, DATA_TYPE *tmp, DATA_TYPE *A, DATA_TYPE *B) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni) && (j < nj)) { tmp[i * nj + j] = 0; for (int k = 0; k < nk; k++) tmp[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j]; }
}
__global__ void mm2_kernel2(int ni, int nj, int nl, DATA_TYPE beta, DATA_TYPE *tmp, DATA_TYPE *C, DATA_TYPE *D) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni) && (j < nl)) { D[i * nl + j] *= beta; for (int k = 0; k < nj; k++) D[i * nl + j] += tmp[i * nj + k] * C[k * nl + j]; }
}
__global__ void rows(int nx, int ny, DATA_TYPE *A, DATA_TYPE *x, DATA_TYPE *tmp) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < nx) { tmp[i] = 0; for (int j = 0; j < ny; j++) tmp[i] += A[i * ny + j] * x[j]; } }
__global__ void columns(int nx, int ny, DATA_TYPE *A, DATA_TYPE *y, DATA_TYPE *tmp) { int j = blockIdx.x * blockDim.x + threadIdx.x; if (j < ny) { y[j] = 0; for (int i = 0; i < nx; i++) y[j] += A[i * ny + j] * tmp[i]; } }
__global__ void gesummv_kernel(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *x, DATA_TYPE *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { DATA_TYPE t = 0, s = 0; for (int j = 0; j < n; j++) { t += A[i * n + j] * x[j]; s += B[i * n + j] * x[j]; } y[i] = alpha * t + beta * s; } }
__global__ void syr2k_kernel(int ni, int nj, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE *a, DATA_TYPE *b, DATA_TYPE *c) { int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y; if ((i < ni) && (j < ni)) { c[i * ni + j] *= beta; for (int k = 0; k < nj; k++) c[i * ni + j] += alpha * a[i * nj + k] * b[j * nj + k] + alpha * b[i * nj + k] * a[j * nj + k]; } }
__global__ void fdtd_step1(int nx, int ny, DATA_TYPE *fict, DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz, int t) { int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y; if ((i < nx) && (j < ny)) { if (i == 0) ey[i * ny + j] = fict[t]; else ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]); } }
__global__ void fdtd_step2(int nx, int ny, DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz, int t) { int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y; if ((i < nx) && (j < ny) && (j > 0)) ex[i * ny + j] = ex[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + (j - 1)]); }
__global__ void fdtd_step3(int nx, int ny, DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz, int t) { int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y; if ((i < nx - 1) && (j < ny - 1)) hz[i * ny + j] = hz[i * ny + j] - 0.7f * (ex[i * ny + (j + 1)] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]); }
__global__ void adi_row(int n, DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *X) { int i1 = blockIdx.x * blockDim.x + threadIdx.x; if (i1 < n) for (int i2 = 1; i2 < n; i2++) { X[i1 * n + i2] = X[i1 * n + i2] - X[i1 * n + (i2 - 1)] * A[i1 * n + i2] / B[i1 * n + (i2 - 1)]; B[i1 * n + i2] = B[i1 * n + i2] - A[i1 * n + i2] * A[i1 * n + i2] / B[i1 * n + (i2 - 1)]; } }
__global__ void corr_mean(int m, int n, DATA_TYPE *mean, DATA_TYPE *data) { int j = blockIdx.x * blockDim.x + threadIdx.x; if (j < m) { mean[j] = 0; for (int i = 0; i < n; i++) mean[j] += data[i * m + j]; mean[j] /= (DATA_TYPE)n; } }
__global__ void corr_std(int m, int n, DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data) { int j = blockIdx.x * blockDim.x + threadIdx.x; if (j < m) { std[j] = 0; for (int i = 0; i < n; i++) std[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]); std[j] = sqrtf(std[j] / n); if (std[j] <= 0.005f) std[j] = 1; } }
__global__ void corr_kernel(int m, int n, DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *symmat, DATA_TYPE *data) { int j1 = blockIdx.x * blockDim.x + threadIdx.x; if (j1 < m) for (int j2 = j1; j2 < m; j2++) { DATA_TYPE s = 0; for (int i = 0; i < n; i++) s += (data[i * m + j1] - mean[j1]) * (data[i * m + j2] - mean[j2]); symmat[j1 * m + j2] = symmat[j2 * m + j1] = s / (n * std[j1] * std[j2]); } }
__global__ void jacobi1(int n, DATA_TYPE *A, DATA_TYPE *B) { int i = blockIdx.x * blockDim.x + threadIdx.x; if ((i > 0) && (i < (n - 1))) B[i] = 0.33333f * (A[i - 1] + A[i] + A[i + 1]); }
__global__ void jacobi2(int n, DATA_TYPE *A, DATA_TYPE *B) { int j = blockIdx.x * blockDim.x + threadIdx.x; if ((j > 0) && (j < (n - 1))) A[j] = B[j]; }
static DATA_TYPE *dev(const DATA_TYPE *from, int n) { DATA_TYPE *p; cudaMalloc((void **)&p, n * sizeof(DATA_TYPE)); cudaMemcpy(p, from, n * sizeof(DATA_TYPE), cudaMemcpyHostToDevice); return p; }
static int compare(const DATA_TYPE *want, DATA_TYPE *device, int n) { DATA_TYPE *h = (DATA_TYPE *)malloc(n * sizeof *h); int fail = 0; cudaMemcpy(h, device, n * sizeof *h, cudaMemcpyDeviceToHost); for (int i = 0; i < n; i++) if (percentDiff(want[i], h[i]) > PERCENT_DIFF_ERROR_THRESHOLD) fail++; free(h); return fail; }
int main() {
  cudaDeviceProp deviceProp; cudaGetDeviceProperties(&deviceProp, GPU_DEVICE); cudaSetDevice(GPU_DEVICE);
  const int n = NX, m = NY; double t_start = rtclock();
  POLYBENCH_2D_ARRAY(A, NX, NX); POLYBENCH_2D_ARRAY(B, NX, NX); POLYBENCH_2D_ARRAY(T, NX, NX); POLYBENCH_2D_ARRAY(W, NX, NX);
  DATA_TYPE x[NX], y[NX], z[NX];
  for (int i = 0; i < n; i++) { x[i] = 1 + (float)i / n; for (int j = 0; j < n; j++) A[i][j] = ((DATA_TYPE)i * j + 3) / n, B[i][j] = 1 + ((DATA_TYPE)(i + j) / n); }
  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y), grid((size_t)ceil(((float)n) / ((float)block.x)), (size_t)ceil(((float)n) / ((float)block.y)));
  DATA_TYPE *a = dev(*A, n * n), *b = dev(*B, n * n), *t = dev(*T, n * n), *d = dev(*B, n * n), *dx = dev(x, n), *dy = dev(x, n), *dz = dev(x, n);
  mm2_kernel1<<<grid, block>>>(n, n, n, 1.5f, t, a, b); cudaThreadSynchronize(); mm2_kernel2<<<grid, block>>>(n, n, n, 1.2f, t, b, d);
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { T[i][j] = 0; for (int k = 0; k < n; k++) T[i][j] += 1.5f * A[i][k] * B[k][j]; }
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { W[i][j] = 1.2f * B[i][j]; for (int k = 0; k < n; k++) W[i][j] += T[i][k] * B[k][j]; }
  printf("2mm %d ", compare(*W, d, n * n));
  rows<<<2, 256>>>(n, n, a, dx, dz); columns<<<2, 256>>>(n, n, a, dy, dz);
  for (int i = 0; i < n; i++) { z[i] = 0; for (int j = 0; j < n; j++) z[i] += A[i][j] * x[j]; }
  for (int j = 0; j < n; j++) { y[j] = 0; for (int i = 0; i < n; i++) y[j] += A[i][j] * z[i]; }
  printf("atax %d ", compare(y, dy, n)); printf("bicg %d ", compare(z, dz, n));
  rows<<<1, 64>>>(m, n, a, dx, dz); printf("mvt %d ", compare(z, dz, m));
  gesummv_kernel<<<1, 64>>>(n, 2.f, 3.f, a, b, dx, dy);
  for (int i = 0; i < n; i++) { y[i] = 0; for (int j = 0; j < n; j++) y[i] += 2 * A[i][j] * x[j] + 3 * B[i][j] * x[j]; }
  printf("gesummv %d ", compare(y, dy, n));
  syr2k_kernel<<<grid, block>>>(n, n, 0.1f, 0.9f, a, b, t);
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { W[i][j] = 0.9f * T[i][j]; for (int k = 0; k < n; k++) W[i][j] += 0.1f * A[i][k] * B[j][k] + 0.1f * B[i][k] * A[j][k]; }
  printf("syr2k %d ", compare(*W, t, n * n));
  DATA_TYPE *ex = dev(*A, n * n), *ey = dev(*B, n * n), *hz = dev(*A, n * n); POLYBENCH_2D_ARRAY(EX, NX, NX); POLYBENCH_2D_ARRAY(EY, NX, NX); POLYBENCH_2D_ARRAY(HZ, NX, NX);
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) EX[i][j] = HZ[i][j] = A[i][j], EY[i][j] = B[i][j];
  for (int s = 0; s < 3; s++) {
    fdtd_step1<<<grid, block>>>(n, n, dx, ex, ey, hz, s); fdtd_step2<<<grid, block>>>(n, n, ex, ey, hz, s); fdtd_step3<<<grid, block>>>(n, n, ex, ey, hz, s);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) EY[i][j] = i == 0 ? x[s] : EY[i][j] - 0.5f * (HZ[i][j] - HZ[i - 1][j]);
    for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) EX[i][j] -= 0.5f * (HZ[i][j] - HZ[i][j - 1]);
    for (int i = 0; i < n - 1; i++) for (int j = 0; j < n - 1; j++) HZ[i][j] -= 0.7f * (EX[i][j + 1] - EX[i][j] + EY[i + 1][j] - EY[i][j]);
  }
  printf("fdtd %d ", compare(*HZ, hz, n * n));
  for (int i = 0; i < n * n; i++) (*T)[i] = 1 + (*B)[i], (*W)[i] = (*A)[i] / 40;
  cudaMemcpy(t, T, n * n * 4, cudaMemcpyHostToDevice); cudaMemcpy(a, W, n * n * 4, cudaMemcpyHostToDevice); cudaMemcpy(d, B, n * n * 4, cudaMemcpyHostToDevice);
  adi_row<<<1, 64>>>(n, a, t, d);
  for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) { B[i][j] -= B[i][j - 1] * W[i][j] / T[i][j - 1]; T[i][j] -= W[i][j] * W[i][j] / T[i][j - 1]; }
  printf("adi %d ", compare(*B, d, n * n));
  corr_mean<<<1, 64>>>(n, n, dx, d); corr_std<<<1, 64>>>(n, n, dx, dy, d); corr_kernel<<<1, 64>>>(n, n, dx, dy, t, d);
  for (int j = 0; j < n; j++) { double s = 0, q = 0; for (int i = 0; i < n; i++) s += B[i][j]; s /= n; for (int i = 0; i < n; i++) q += (B[i][j] - s) * (B[i][j] - s); x[j] = s; y[j] = sqrt(q / n); if (y[j] <= 0.005f) y[j] = 1; }
  int bad = 0; for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) { double s = 0; for (int i = 0; i < n; i++) s += (B[i][j] - x[j]) * (B[i][k] - x[k]); T[j][k] = s / (n * y[j] * y[k]); }
  cudaMemcpy(W, t, n * n * 4, cudaMemcpyDeviceToHost); for (int i = 0; i < n * n; i++) bad += fabsf((*W)[i] - (*T)[i]) > 1e-3f;
  printf("correlation %d ", bad);
  cudaMemcpy(dx, x, n * 4, cudaMemcpyHostToDevice); cudaMemcpy(dy, x, n * 4, cudaMemcpyHostToDevice);
  for (int s = 0; s < 10; s++) { jacobi1<<<1, 64>>>(n, dx, dy); jacobi2<<<1, 64>>>(n, dx, dy); for (int i = 1; i < n - 1; i++) y[i] = 0.33333f * (x[i - 1] + x[i] + x[i + 1]); for (int i = 1; i < n - 1; i++) x[i] = y[i]; }
  printf("jacobi1d %d\n", compare(x, dx, n));
  fprintf(stderr, "GPU Time in seconds:\n%0.6lf\n", rtclock() - t_start);
  free(A); free(B); free(T); free(W); free(EX); free(EY); free(HZ);
  return cudaGetLastError() != cudaSuccess;
}
