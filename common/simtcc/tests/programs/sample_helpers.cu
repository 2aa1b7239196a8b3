// nvcc: lacks a header
#include <stdio.h>
#include <helper_functions.h>
#include <helper_cuda.h>
#include <nvToolsExt.h>

__global__ void ranks(float *x) { x[threadIdx.x] = threadIdx.x; }

int main(int argc, char **argv) {
  const int device = findCudaDevice(argc, (const char **)argv);
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  int n = 32;
  if (checkCmdLineFlag(argc, (const char **)argv, "n")) n = getCmdLineArgumentInt(argc, (const char **)argv, "n");
  StopWatchInterface *timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  float *d, h[64], reference[64];
  checkCudaErrors(cudaMalloc((void **)&d, sizeof h));
  nvtxRangePushA("ranks");
  ranks<<<1, n>>>(d);
  nvtxRangePop();
  getLastCudaError("ranks failed");
  checkCudaErrors(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  sdkStopTimer(&timer);
  for (int i = 0; i < n; i++) reference[i] = i;
  printf("%d %d %d\n", sdkCompareL2fe(reference, h, n, 1e-6f), sdkGetTimerValue(&timer) >= 0, checkCudaCapabilities(3, 0));
  sdkDeleteTimer(&timer);
  h[3] += 1;
  char *path = sdkFindFilePath("no such file.pgm", argv[0]);
  char *self = sdkFindFilePath("program", argv[0]);
  printf("%d %d %s %d\n", compareData(reference, h, n, 0.5f, 0.0f), compareData(reference, h, n, 0.5f, 0.1f), path ? path : "none", self != NULL);
  checkCudaErrors(cudaFree(d));
  checkCudaErrors(cudaMemcpy(h, d, 1 << 20, cudaMemcpyDeviceToHost));
}
// prints: 1 1 1
// prints: 0 1 none 1
// exit: 1
// tells: sample_helpers.cu:34: cudaMemcpy
