// says: ^product done$
// exit: 1
// tells: matMul, block .*: race in shared memory on [AB]s\[
// once: histogram, block .*: race in (shared|global) memory on
// tells: smooth, block 2: thread 0 writes y\[256\] .*, but y has 256 elements
// Three mistakes of beginners in one program that looks right: tiles without the second barrier, counts without atomics, a size in elements where bytes are meant.
#include <stdio.h>
#include <stdlib.h>
#define TILE 8
#define CUDA_CALL(x) do { if((x) != cudaSuccess) { printf("Error at %s:%d\n",__FILE__,__LINE__); return EXIT_FAILURE;}} while(0)
__global__ void matMul(const float *A, const float *B, float *C, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
  }
  C[row * n + col] = sum;
}
__global__ void histogram(const float *x, int n, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[(int)x[i] % 10]++;
}
__global__ void smooth(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
}
int main() {
  const int n = 32;
  float *A, *B, *C, *y, h[n * n];
  int *bins;
  for (int i = 0; i < n * n; i++) h[i] = i % 17;
  CUDA_CALL(cudaMalloc(&A, n * n * sizeof(float)));
  CUDA_CALL(cudaMalloc(&B, n * n * sizeof(float)));
  CUDA_CALL(cudaMalloc(&C, n * n * sizeof(float)));
  CUDA_CALL(cudaMalloc(&bins, 10 * sizeof(int)));
  CUDA_CALL(cudaMalloc(&y, n * n));
  CUDA_CALL(cudaMemset(bins, 0, 10 * sizeof(int)));
  CUDA_CALL(cudaMemcpy(A, h, sizeof h, cudaMemcpyHostToDevice));
  CUDA_CALL(cudaMemcpy(B, h, sizeof h, cudaMemcpyHostToDevice));
  matMul<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(A, B, C, n);
  histogram<<<n * n / 128, 128>>>(A, n * n, bins);
  printf("product done\n");
  smooth<<<n * n / 128, 128>>>(A, y, n * n);
  CUDA_CALL(cudaDeviceSynchronize());
}
