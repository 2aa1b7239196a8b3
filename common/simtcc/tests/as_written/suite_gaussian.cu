// args: -s 48 -q
// says: ^48: largest difference [0-9.e-]+ PASS
// Elimination: two kernels a column, launched in a loop by the host, two-dimensional blocks, device properties printed, a system made from a formula.
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <string.h>
#include <math.h>
#include "cuda.h"
#define BLOCK_SIZE_XY 4
#define MAXBLOCKSIZE 512
int Size; float *a, *b, *finalVec, *m; unsigned int totalKernelTime = 0;
void create_matrix(float *m, int size) {
  float lamda = -0.01, coe[2 * size - 1];
  for (int i = 0; i < size; i++) { float c = 10 * exp(lamda * i); int j = size - 1 + i; coe[j] = c; j = size - 1 - i; coe[j] = c; }
  for (int i = 0; i < size; i++) for (int j = 0; j < size; j++) m[i * size + j] = coe[size - 1 - i + j];
}
void checkCUDAError(const char *msg) { cudaError_t err = cudaGetLastError(); if (cudaSuccess != err) { fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err)); exit(EXIT_FAILURE); } }
__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
  *(m_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) = *(a_cuda + Size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a_cuda + Size * t + t);
}
__global__ void Fan2(float *m_cuda, float *a_cuda, float *b_cuda, int Size, int j1, int t) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
  if (threadIdx.y + blockIdx.y * blockDim.y >= Size - t) return;
  int xidx = blockIdx.x * blockDim.x + threadIdx.x, yidx = blockIdx.y * blockDim.y + threadIdx.y;
  a_cuda[Size * (xidx + 1 + t) + (yidx + t)] -= m_cuda[Size * (xidx + 1 + t) + t] * a_cuda[Size * t + (yidx + t)];
  if (yidx == 0) b_cuda[xidx + 1 + t] -= m_cuda[Size * (xidx + 1 + t) + (yidx + t)] * b_cuda[t];
}
void ForwardSub() {
  float *m_cuda, *a_cuda, *b_cuda;
  cudaMalloc((void **)&m_cuda, Size * Size * sizeof(float)); cudaMalloc((void **)&a_cuda, Size * Size * sizeof(float)); cudaMalloc((void **)&b_cuda, Size * sizeof(float));
  cudaMemcpy(m_cuda, m, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(a_cuda, a, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b_cuda, b, Size * sizeof(float), cudaMemcpyHostToDevice);
  int block_size = MAXBLOCKSIZE, grid_size = (Size / block_size) + (!(Size % block_size) ? 0 : 1);
  dim3 dimBlock(block_size), dimGrid(grid_size);
  int gridSize2d = (Size / BLOCK_SIZE_XY) + (!(Size % BLOCK_SIZE_XY ? 0 : 1));
  dim3 dimBlockXY(BLOCK_SIZE_XY, BLOCK_SIZE_XY), dimGridXY(gridSize2d, gridSize2d);
  struct timeval time_start, time_end;
  gettimeofday(&time_start, NULL);
  for (int t = 0; t < (Size - 1); t++) {
    Fan1<<<dimGrid, dimBlock>>>(m_cuda, a_cuda, Size, t);
    cudaThreadSynchronize();
    Fan2<<<dimGridXY, dimBlockXY>>>(m_cuda, a_cuda, b_cuda, Size, Size - t, t);
    cudaThreadSynchronize();
    checkCUDAError("Fan2");
  }
  gettimeofday(&time_end, NULL);
  totalKernelTime = (time_end.tv_sec * 1000000 + time_end.tv_usec) - (time_start.tv_sec * 1000000 + time_start.tv_usec);
  cudaMemcpy(m, m_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(a, a_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b, b_cuda, Size * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(m_cuda); cudaFree(a_cuda); cudaFree(b_cuda);
}
int main(int argc, char *argv[]) {
  int verbose = 1;
  if (argc < 2) { printf("Usage: gaussian -s size [-q]\n"); exit(2); }
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-') switch (argv[i][1]) { case 's': i++; Size = atoi(argv[i]); break; case 'q': verbose = 0; break; }
  int nDevices; cudaDeviceProp prop;
  cudaGetDeviceCount(&nDevices);
  for (int i = 0; i < nDevices && verbose; i++) { cudaGetDeviceProperties(&prop, i); printf("%s, %d.%d, %zu bytes, %d threads\n", prop.name, prop.major, prop.minor, prop.totalGlobalMem, prop.maxThreadsPerBlock); }
  a = (float *)malloc(Size * Size * sizeof(float)); b = (float *)malloc(Size * sizeof(float)); m = (float *)calloc(Size * Size, sizeof(float)); finalVec = (float *)malloc(Size * sizeof(float));
  create_matrix(a, Size);
  float *first = (float *)malloc(Size * Size * sizeof(float)), largest = 0;
  memcpy(first, a, Size * Size * sizeof(float));
  for (int j = 0; j < Size; j++) b[j] = 1.0;
  ForwardSub();
  for (int i = 0; i < Size; i++) {
    finalVec[Size - i - 1] = b[Size - i - 1];
    for (int j = 0; j < i; j++) finalVec[Size - i - 1] -= *(a + Size * (Size - i - 1) + (Size - j - 1)) * finalVec[Size - j - 1];
    finalVec[Size - i - 1] = finalVec[Size - i - 1] / *(a + Size * (Size - i - 1) + (Size - i - 1));
  }
  for (int i = 0; i < Size; i++) { float sum = 0; for (int j = 0; j < Size; j++) sum += first[i * Size + j] * finalVec[j]; largest = fmaxf(largest, fabsf(sum - 1)); }
  fprintf(stderr, "Time total: %f sec\n", totalKernelTime * 1e-6);
  printf("%d: largest difference %g %s\n", Size, largest, largest < 1e-3 ? "PASS" : "FAIL");
  free(m); free(a); free(b); free(first); free(finalVec);
  return !(largest < 1e-3);
}
