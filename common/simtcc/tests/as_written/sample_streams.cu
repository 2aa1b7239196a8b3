// says: ^Test passed$
// args: --reps=2
// Streams over pinned memory in the way of a vendor's sample: findCudaDevice, events, registered memory, a spin parameter.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
const char *sSDKsample = "streams";
__global__ void init_array(int *g_data, int *factor, int num_iterations) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < num_iterations; i++) g_data[idx] += *factor;
}
bool correct_data(int *a, const int n, const int c) {
  for (int i = 0; i < n; i++)
    if (a[i] != c) {
      printf("%d: %d %d\n", i, a[i], c);
      return false;
    }
  return true;
}
#define ALIGN_UP(x, size) (((size_t)x + (size - 1)) & (~(size - 1)))
int main(int argc, char **argv) {
  int nstreams = 4, nreps = 1, n = 4096, niterations = 5, c = 5;
  float elapsed_time, scale_factor = 1.0f;
  if (checkCmdLineFlag(argc, (const char **)argv, "reps")) nreps = getCmdLineArgumentInt(argc, (const char **)argv, "reps");
  int cuda_device = findCudaDevice(argc, (const char **)argv);
  cudaDeviceProp deviceProp;
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, cuda_device));
  if (!deviceProp.canMapHostMemory) exit(EXIT_WAIVED);
  scale_factor = max((32.0f / (_ConvertSMVer2Cores(deviceProp.major, deviceProp.minor) * (float)deviceProp.multiProcessorCount)), 1.0f);
  printf("> scale_factor = %1.4f, CUDA Capable SM %d.%d hardware with %d multi-processors\n", 1.0f / scale_factor, deviceProp.major,
         deviceProp.minor, deviceProp.multiProcessorCount);
  checkCudaErrors(cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost));
  const size_t nbytes = n * sizeof(int);
  int *raw = (int *)malloc(nbytes + 4096), *h_a = (int *)ALIGN_UP(raw, 4096);
  checkCudaErrors(cudaHostRegister(h_a, nbytes, cudaHostRegisterMapped));
  int *d_a = 0, *d_c = 0;
  checkCudaErrors(cudaMalloc((void **)&d_a, nbytes));
  checkCudaErrors(cudaMalloc((void **)&d_c, sizeof(int)));
  checkCudaErrors(cudaMemcpy(d_c, &c, sizeof(int), cudaMemcpyHostToDevice));
  cudaStream_t *streams = (cudaStream_t *)malloc(nstreams * sizeof(cudaStream_t));
  for (int i = 0; i < nstreams; i++) checkCudaErrors(cudaStreamCreate(&(streams[i])));
  cudaEvent_t start_event, stop_event;
  checkCudaErrors(cudaEventCreateWithFlags(&start_event, cudaEventBlockingSync));
  checkCudaErrors(cudaEventCreateWithFlags(&stop_event, cudaEventBlockingSync));
  StopWatchInterface *timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  dim3 threads = dim3(512, 1), blocks = dim3(n / (nstreams * threads.x), 1);
  memset(h_a, 255, nbytes);
  checkCudaErrors(cudaMemset(d_a, 0, nbytes));
  checkCudaErrors(cudaEventRecord(start_event, 0));
  for (int k = 0; k < nreps; k++) {
    for (int i = 0; i < nstreams; i++) init_array<<<blocks, threads, 0, streams[i]>>>(d_a + i * n / nstreams, d_c, niterations);
    for (int i = 0; i < nstreams; i++)
      checkCudaErrors(cudaMemcpyAsync(h_a + i * n / nstreams, d_a + i * n / nstreams, nbytes / nstreams, cudaMemcpyDeviceToHost, streams[i]));
  }
  checkCudaErrors(cudaEventRecord(stop_event, 0));
  checkCudaErrors(cudaEventSynchronize(stop_event));
  checkCudaErrors(cudaEventElapsedTime(&elapsed_time, start_event, stop_event));
  sdkStopTimer(&timer);
  printf("%d streams:\t%.2f (%.2f)\n", nstreams, elapsed_time / nreps, sdkGetTimerValue(&timer));
  sdkDeleteTimer(&timer);
  bool bResults = correct_data(h_a, n, c * nreps * niterations);
  for (int i = 0; i < nstreams; i++) checkCudaErrors(cudaStreamDestroy(streams[i]));
  checkCudaErrors(cudaEventDestroy(start_event));
  checkCudaErrors(cudaEventDestroy(stop_event));
  checkCudaErrors(cudaHostUnregister(h_a));
  free(raw);
  checkCudaErrors(cudaFree(d_a));
  checkCudaErrors(cudaFree(d_c));
  printf("Test %s\n", bResults ? "passed" : "failed");
  return bResults ? EXIT_SUCCESS : EXIT_FAILURE;
}
