// says: ^covariance 0 of 400 wrong, Q R = A: yes$
/* Statistics and orthogonalisation: kernels launched per column, a kernel of one thread, sqrt in double, extern "C" wrappers. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define M 20
#define NN 30
extern "C" void covariance(double *data, double *symmat, double *mean, int m, int n);
extern "C" {
__global__ void mean_kernel(double *mean, double *data, int m, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    mean[j] = 0.0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= n;
  }
}
__global__ void reduce_kernel(double *mean, double *data, int m, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < n) && (j < m)) data[i * m + j] -= mean[j];
}
__global__ void covar_kernel(double *symmat, double *data, int m, int n) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x, i, j2;
  if (j1 < m)
    for (j2 = j1; j2 < m; j2++) {
      symmat[j1 * m + j2] = 0.0;
      for (i = 0; i < n; i++) symmat[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      symmat[j2 * m + j1] = symmat[j1 * m + j2];
    }
}
}
void covariance(double *data, double *symmat, double *mean, int m, int n) {
  dim3 block1(64, 1), block2(32, 8);
  mean_kernel<<<1, block1>>>(mean, data, m, n);
  reduce_kernel<<<dim3(1, (n + 7) / 8), block2>>>(mean, data, m, n);
  covar_kernel<<<1, block1>>>(symmat, data, m, n);
  cudaDeviceSynchronize();
}
__global__ void gs1(double *a, double *r, double *q, int k, int ni, int nj) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid == 0) {
    double nrm = 0.0;
    for (int i = 0; i < ni; i++) nrm += a[i * nj + k] * a[i * nj + k];
    r[k * nj + k] = sqrt(nrm);
  }
}
__global__ void gs2(double *a, double *r, double *q, int k, int ni, int nj) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ni) q[i * nj + k] = a[i * nj + k] / r[k * nj + k];
}
__global__ void gs3(double *a, double *r, double *q, int k, int ni, int nj) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if ((j > k) && (j < nj)) {
    r[k * nj + j] = 0.0;
    for (int i = 0; i < ni; i++) r[k * nj + j] += q[i * nj + k] * a[i * nj + j];
    for (int i = 0; i < ni; i++) a[i * nj + j] -= q[i * nj + k] * r[k * nj + j];
  }
}
int main(void) {
  double *data, *sym, *mean, *q, *r, (*orig)[M] = (double(*)[M])malloc(NN * M * sizeof(double));
  cudaMallocManaged(&data, NN * M * sizeof(double));
  cudaMallocManaged(&sym, M * M * sizeof(double));
  cudaMallocManaged(&mean, M * sizeof(double));
  cudaMallocManaged(&q, NN * M * sizeof(double));
  cudaMallocManaged(&r, M * M * sizeof(double));
  int wrong = 0;
  for (int i = 0; i < NN; i++)
    for (int j = 0; j < M; j++) data[i * M + j] = orig[i][j] = sin(i * 3.1 + j * j) + (i == j);
  covariance(data, sym, mean, M, NN);
  for (int a = 0; a < M; a++)
    for (int b = 0; b < M; b++) {
      double ma = 0, mb = 0, s = 0;
      for (int i = 0; i < NN; i++) ma += orig[i][a] / NN, mb += orig[i][b] / NN;
      for (int i = 0; i < NN; i++) s += (orig[i][a] - ma) * (orig[i][b] - mb);
      wrong += fabs(s - sym[a * M + b]) > 1e-9;
    }
  for (int i = 0; i < NN * M; i++) data[i] = orig[i / M][i % M];
  for (int i = 0; i < M * M; i++) r[i] = 0;
  for (int k = 0; k < M; k++) {
    gs1<<<1, 32>>>(data, r, q, k, NN, M);
    gs2<<<1, 32>>>(data, r, q, k, NN, M);
    gs3<<<1, 32>>>(data, r, q, k, NN, M);
  }
  cudaDeviceSynchronize();
  int same = 1;
  for (int i = 0; i < NN; i++)
    for (int j = 0; j < M; j++) {
      double s = 0;
      for (int k = 0; k < M; k++) s += q[i * M + k] * r[k * M + j];
      same &= fabs(s - orig[i][j]) < 1e-9;
    }
  printf("covariance %d of %d wrong, Q R = A: %s\n", wrong, M * M, same ? "yes" : "no");
  return wrong || !same;
}
