// says: ^simple: 2 launches, attributes ok, OK
// Overloaded kernels chosen by a pointer's type, cudaFuncGetAttributes and cudaFuncSetCacheConfig, a table of functions.
#include <stdio.h>
#include <assert.h>
#include <cuda_runtime_api.h>
#include <helper_string.h>
#include <helper_cuda.h>
const int N = 256, THREAD_N = 64;
#define DIV(a, b) (((a) % (b)) ? ((a) / (b) + 1) : ((a) / (b)))
__global__ void simple_kernel(const int *pIn, int *pOut, int a) {
  __shared__ int sData[THREAD_N];
  int tid = threadIdx.x + blockDim.x * blockIdx.x;
  sData[threadIdx.x] = pIn[tid];
  __syncthreads();
  pOut[tid] = sData[threadIdx.x] * a + tid;
}
__global__ void simple_kernel(const int2 *pIn, int *pOut, int a) {
  __shared__ int2 sData[THREAD_N];
  int tid = threadIdx.x + blockDim.x * blockIdx.x;
  sData[threadIdx.x] = pIn[tid];
  __syncthreads();
  pOut[tid] = (sData[threadIdx.x].x + sData[threadIdx.x].y) * a + tid;
}
typedef float (*pointFunction_t)(float, float);
__device__ float maxf2(float a, float b) { return a > b ? a : b; }
__device__ float minf2(float a, float b) { return a < b ? a : b; }
__device__ float avgf2(float a, float b) { return .5f * (a + b); }
__device__ pointFunction_t pTable[3] = {maxf2, minf2};
__device__ pointFunction_t pAvg = avgf2;
__global__ void apply(float *data, int which) { data[threadIdx.x] = (*pTable[which])(data[threadIdx.x], 10.0f); }
#define OUTPUT_ATTR(attr) assert(attr.maxThreadsPerBlock > 0 && attr.numRegs >= 0 && attr.binaryVersion > 0 && attr.ptxVersion > 0)
int main(int argc, const char *argv[]) {
  int deviceID = cudaSetDevice(findCudaDevice(argc, argv)), *hInput = NULL, *hOutput = NULL, *dInput = NULL, *dOutput = NULL;
  checkCudaErrors(cudaMalloc(&dInput, sizeof(int) * N * 2));
  checkCudaErrors(cudaMalloc(&dOutput, sizeof(int) * N));
  checkCudaErrors(cudaMallocHost(&hInput, sizeof(int) * N * 2));
  checkCudaErrors(cudaMallocHost(&hOutput, sizeof(int) * N));
  for (int i = 0; i < N * 2; i++) hInput[i] = i;
  checkCudaErrors(cudaMemcpy(dInput, hInput, sizeof(int) * N * 2, cudaMemcpyHostToDevice));
  cudaFuncAttributes attr;
  void (*func1)(const int *, int *, int) = simple_kernel;
  void (*func2)(const int2 *, int *, int) = simple_kernel;
  memset(&attr, 0, sizeof(attr));
  checkCudaErrors(cudaFuncSetCacheConfig(*func1, cudaFuncCachePreferShared));
  checkCudaErrors(cudaFuncGetAttributes(&attr, *func1));
  OUTPUT_ATTR(attr);
  (*func1)<<<DIV(N, THREAD_N), THREAD_N>>>(dInput, dOutput, 3);
  checkCudaErrors(cudaMemcpy(hOutput, dOutput, sizeof(int) * N, cudaMemcpyDeviceToHost));
  bool ok = deviceID == 0;
  for (int i = 0; i < N; ++i) ok &= hOutput[i] == i * 3 + i;
  checkCudaErrors(cudaFuncGetAttributes(&attr, *func2));
  func2<<<DIV(N, THREAD_N), THREAD_N>>>((int2 *)dInput, dOutput, 3);
  checkCudaErrors(cudaMemcpy(hOutput, dOutput, sizeof(int) * N, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) ok &= hOutput[i] == (4 * i + 1) * 3 + i;
  pointFunction_t h_avg;
  checkCudaErrors(cudaMemcpyFromSymbol(&h_avg, pAvg, sizeof(pointFunction_t)));
  checkCudaErrors(cudaMemcpyToSymbol(pTable, &h_avg, sizeof(pointFunction_t), 2 * sizeof(pointFunction_t)));
  float *f;
  checkCudaErrors(cudaMallocManaged(&f, 32 * sizeof(float)));
  for (int i = 0; i < 32; i++) f[i] = i;
  for (int w = 0; w < 3; w++) apply<<<1, 32>>>(f, w);
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++) ok &= f[i] == 10.f;
  printf("simple: 2 launches, attributes ok, %s\n", ok ? "OK" : "WRONG");
  exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
