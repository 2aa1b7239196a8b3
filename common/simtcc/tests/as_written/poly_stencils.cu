// says: ^fdtd 0 jacobi 0 adi 0$
/* Loops over time: fields of three kernels, a Jacobi step with a copy kernel, alternating directions. Static arrays, VLA types. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 48
#define TMAX 4
typedef float DATA_TYPE;
typedef DATA_TYPE Grid[N][N];
static Grid ex, ey, hz, a, b, x, ea, eb;
static DATA_TYPE fict[TMAX];
#define IDX int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y
__global__ void step1(DATA_TYPE *fict, DATA_TYPE (*ey)[N], DATA_TYPE (*hz)[N], int t) {
  IDX;
  if (i < N && j < N) ey[i][j] = i == 0 ? fict[t] : ey[i][j] - 0.5f * (hz[i][j] - hz[i - 1][j]);
}
__global__ void step2(Grid &ex, const Grid &hz) {
  IDX;
  if (i < N && j < N && j > 0) ex[i][j] = ex[i][j] - 0.5f * (hz[i][j] - hz[i][j - 1]);
}
__global__ void step3(DATA_TYPE *ex, DATA_TYPE *ey, DATA_TYPE *hz) {
  IDX;
  if (i < N - 1 && j < N - 1)
    hz[i * N + j] = hz[i * N + j] - 0.7f * (ex[i * N + (j + 1)] - ex[i * N + j] + ey[(i + 1) * N + j] - ey[i * N + j]);
}
__global__ void jacobi(DATA_TYPE A[][N], DATA_TYPE B[][N]) {
  IDX;
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1) B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
}
__global__ void copyBack(DATA_TYPE A[N][N], DATA_TYPE B[N][N]) {
  IDX;
  if ((i >= 1) && (i < (N - 1)) && (j >= 1) && (j < (N - 1))) A[i][j] = B[i][j];
}
__global__ void sweep(DATA_TYPE *X, const DATA_TYPE *A, DATA_TYPE *B, int n, int step, int line) {
  int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 >= n) return;
  for (int i2 = 1; i2 < n; i2++) {
    int at = i1 * line + i2 * step, before = at - step;
    X[at] = X[at] - X[before] * A[at] / B[before];
    B[at] = B[at] - A[at] * A[at] / B[before];
  }
}
static DATA_TYPE *upload(const void *from, size_t bytes) {
  void *d;
  cudaMalloc(&d, bytes);
  cudaMemcpy(d, from, bytes, cudaMemcpyHostToDevice);
  return (DATA_TYPE *)d;
}
static int compare(const Grid want, const DATA_TYPE *device) {
  Grid got;
  int fail = 0;
  cudaMemcpy(got, device, sizeof(Grid), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) fail += fabsf(want[i][j] - got[i][j]) > 1e-3f * (1 + fabsf(want[i][j]));
  return fail;
}
int main() {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      ex[i][j] = ((DATA_TYPE)i * (j + 1) + 1) / N;
      ey[i][j] = ((DATA_TYPE)(i - 1) * (j + 2) + 2) / N;
      hz[i][j] = ((DATA_TYPE)(i - 9) * (j + 4) + 3) / N;
      a[i][j] = ((DATA_TYPE)i * (j + 2) + 10) / N, b[i][j] = 0;
      x[i][j] = ((DATA_TYPE)i * (j + 1) + 1) / N, ea[i][j] = ((DATA_TYPE)(i - 1) * (j + 4) + 2) / (N * N), eb[i][j] = 3 + (DATA_TYPE)(i + j) / N;
    }
  for (int t = 0; t < TMAX; t++) fict[t] = t;
  dim3 block(32, 8), grid((N + 31) / 32, N / 8);
  DATA_TYPE *d_fict = upload(fict, sizeof fict), *d_ex = upload(ex, sizeof ex), *d_ey = upload(ey, sizeof ey), *d_hz = upload(hz, sizeof hz);
  for (int t = 0; t < TMAX; t++) {
    step1<<<grid, block>>>(d_fict, (DATA_TYPE(*)[N])d_ey, (DATA_TYPE(*)[N])d_hz, t);
    step2<<<grid, block>>>(*(Grid *)d_ex, *(const Grid *)d_hz);
    step3<<<grid, block>>>(d_ex, d_ey, d_hz);
    for (int j = 0; j < N; j++) ey[0][j] = fict[t];
    for (int i = 1; i < N; i++)
      for (int j = 0; j < N; j++) ey[i][j] -= 0.5f * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < N; i++)
      for (int j = 1; j < N; j++) ex[i][j] -= 0.5f * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < N - 1; i++)
      for (int j = 0; j < N - 1; j++) hz[i][j] -= 0.7f * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
  int fail1 = compare(hz, d_hz);
  DATA_TYPE *d_a = upload(a, sizeof a), *d_b = upload(b, sizeof b);
  for (int t = 0; t < TMAX; t++) {
    jacobi<<<grid, block>>>((DATA_TYPE(*)[N])d_a, (DATA_TYPE(*)[N])d_b);
    copyBack<<<grid, block>>>((DATA_TYPE(*)[N])d_a, (DATA_TYPE(*)[N])d_b);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
    for (int i = 1; i < N - 1; i++) memcpy(&a[i][1], &b[i][1], sizeof(DATA_TYPE) * (N - 2));
  }
  int fail2 = compare(a, d_a);
  DATA_TYPE *d_x = upload(x, sizeof x), *d_ea = upload(ea, sizeof ea), *d_eb = upload(eb, sizeof eb);
  sweep<<<2, 32>>>(d_x, d_ea, d_eb, N, 1, N);
  sweep<<<2, 32>>>(d_x, d_ea, d_eb, N, N, 1);
  for (int dir = 0; dir < 2; dir++)
    for (int i1 = 0; i1 < N; i1++)
      for (int i2 = 1; i2 < N; i2++) {
        int at = dir ? i2 * N + i1 : i1 * N + i2, before = at - (dir ? N : 1);
        (&x[0][0])[at] -= (&x[0][0])[before] * (&ea[0][0])[at] / (&eb[0][0])[before];
        (&eb[0][0])[at] -= (&ea[0][0])[at] * (&ea[0][0])[at] / (&eb[0][0])[before];
      }
  printf("fdtd %d jacobi %d adi %d\n", fail1, fail2, compare(x, d_x));
  return fail1 || fail2;
}
