// says: ^L\*U = A: max error [0-9.e-]+ good$
// A factorisation by blocks: diagonal, perimeter (with two halves of a block doing different things), internal. One warp and less without barriers.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define BS 16
#define AA(i, j) m[(offset + (i)) * matrix_dim + offset + (j)]
__global__ void lud_diagonal(float *m, int matrix_dim, int offset) {
  __shared__ float shadow[BS][BS];
  int array_offset = offset * matrix_dim + offset;
  for (int i = 0; i < BS; i++) {
    shadow[i][threadIdx.x] = m[array_offset + threadIdx.x];
    array_offset += matrix_dim;
  }
  __syncthreads();
  for (int i = 0; i < BS - 1; i++) {
    if (threadIdx.x > i) {
      for (int j = 0; j < i; j++) shadow[threadIdx.x][i] -= shadow[threadIdx.x][j] * shadow[j][i];
      shadow[threadIdx.x][i] /= shadow[i][i];
    }
    __syncthreads();
    if (threadIdx.x > i)
      for (int j = 0; j < i + 1; j++) shadow[i + 1][threadIdx.x] -= shadow[i + 1][j] * shadow[j][threadIdx.x];
    __syncthreads();
  }
  for (int i = 1; i < BS; i++) AA(i, threadIdx.x) = shadow[i][threadIdx.x];
}
__global__ void lud_perimeter(float *m, int matrix_dim, int offset) {
  __shared__ float dia[BS][BS], peri_row[BS][BS], peri_col[BS][BS];
  int idx = threadIdx.x % BS;
  const bool isRow = threadIdx.x < BS;
  for (int i = isRow ? 0 : BS / 2; i < (isRow ? BS / 2 : BS); i++) dia[i][idx] = AA(i, idx);
  for (int i = 0; i < BS; i++)
    if (isRow) peri_row[i][idx] = AA(i, (blockIdx.x + 1) * BS + idx);
    else peri_col[i][idx] = AA((blockIdx.x + 1) * BS + i, idx);
  __syncthreads();
  if (isRow) {
    for (int i = 1; i < BS; i++)
      for (int j = 0; j < i; j++) peri_row[i][idx] -= dia[i][j] * peri_row[j][idx];
  } else {
    for (int i = 0; i < BS; i++) {
      for (int j = 0; j < i; j++) peri_col[idx][i] -= peri_col[idx][j] * dia[j][i];
      peri_col[idx][i] /= dia[i][i];
    }
  }
  __syncthreads();
  for (int i = 0; i < BS; i++)
    if (isRow) AA(i, (blockIdx.x + 1) * BS + idx) = peri_row[i][idx];
    else AA((blockIdx.x + 1) * BS + i, idx) = peri_col[i][idx];
}
__global__ void lud_internal(float *m, int matrix_dim, int offset) {
  __shared__ float peri_row[BS][BS], peri_col[BS][BS];
  int row = (blockIdx.y + 1) * BS, col = (blockIdx.x + 1) * BS;
  peri_row[threadIdx.y][threadIdx.x] = AA(threadIdx.y, col + threadIdx.x);
  peri_col[threadIdx.y][threadIdx.x] = AA(row + threadIdx.y, threadIdx.x);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < BS; i++) sum += peri_col[threadIdx.y][i] * peri_row[i][threadIdx.x];
  AA(row + threadIdx.y, col + threadIdx.x) -= sum;
}
void lud_cuda(float *m, int matrix_dim) {
  int i = 0;
  dim3 dimBlock(BS, BS);
  for (; i < matrix_dim - BS; i += BS) {
    lud_diagonal<<<1, BS>>>(m, matrix_dim, i);
    lud_perimeter<<<(matrix_dim - i) / BS - 1, BS * 2>>>(m, matrix_dim, i);
    dim3 dimGrid((matrix_dim - i) / BS - 1, (matrix_dim - i) / BS - 1);
    lud_internal<<<dimGrid, dimBlock>>>(m, matrix_dim, i);
  }
  lud_diagonal<<<1, BS>>>(m, matrix_dim, i);
}
int main(void) {
  const int n = 64;
  float *m, *mm, *d_m, worst = 0;
  m = (float *)malloc(n * n * sizeof(float));
  mm = (float *)malloc(n * n * sizeof(float));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i * n + j] = 10 * expf(-0.1f * abs(i - j)) + (i == j ? 5 : 0);
  cudaMalloc((void **)&d_m, n * n * sizeof(float));
  cudaMemcpy(d_m, m, n * n * sizeof(float), cudaMemcpyHostToDevice);
  lud_cuda(d_m, n);
  cudaMemcpy(mm, d_m, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k <= (i < j ? i : j); k++) sum += (k == i ? 1.f : mm[i * n + k]) * mm[k * n + j];
      worst = fmaxf(worst, fabsf(sum - m[i * n + j]));
    }
  printf("L*U = A: max error %g %s\n", worst, worst < 1e-3 ? "good" : "BAD");
  cudaFree(d_m);
  return worst >= 1e-3;
}
