// says: ^.*, [0-9]+ multiprocessors, warps of 32$
// says: ^saxpy: 0 of 2000 wrong, 7 7, took a time: yes$
// says: ^out of memory: CUDA_ERROR_OUT_OF_MEMORY|^out of memory: cudaErrorMemoryAllocation
// The driver's interface beside the runtime's: devices, contexts, memory, streams and events are the same ones.
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#define checkCuda(err) __check(err, __FILE__, __LINE__)
inline void __check(CUresult err, const char *file, const int line) {
  if (CUDA_SUCCESS != err) { const char *text = NULL; cuGetErrorString(err, &text); fprintf(stderr, "%s(%i): %d: %s\n", file, line, (int)err, text ? text : "?"); exit(EXIT_FAILURE); }
}
__global__ void saxpy(int n, float a, const float *x, float *y) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] += a * x[i]; }
int main() {
  CUdevice device; CUcontext context, current; int count = 0, major, minor, sms, warp, version;
  char name[256]; size_t bytes, freeBytes;
  checkCuda(cuInit(0));
  checkCuda(cuDriverGetVersion(&version));
  checkCuda(cuDeviceGetCount(&count));
  if (count == 0 || version < 9000) { fprintf(stderr, "no device\n"); return 3; }
  checkCuda(cuDeviceGet(&device, 0));
  checkCuda(cuDeviceGetName(name, sizeof name, device));
  checkCuda(cuDeviceTotalMem(&bytes, device));
  checkCuda(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  checkCuda(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  checkCuda(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  checkCuda(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  printf("%s, %d.%d, %d multiprocessors, warps of %d\n", name, major, minor, sms, warp);
#if CUDA_VERSION >= 13000
  checkCuda(cuCtxCreate(&context, NULL, 0, device));
#else
  checkCuda(cuCtxCreate(&context, 0, device));
#endif
  checkCuda(cuCtxGetCurrent(&current));
  const int n = 2000;
  std::vector<float> x(n), y(n); unsigned char two[2];
  for (int i = 0; i < n; i++) x[i] = i, y[i] = 1;
  CUdeviceptr dx, dy, db; CUstream stream; CUevent from, to; float ms = -1;
  checkCuda(cuMemGetInfo(&freeBytes, &bytes));
  checkCuda(cuMemAlloc(&dx, n * sizeof(float))); checkCuda(cuMemAlloc(&dy, n * sizeof(float))); checkCuda(cuMemAlloc(&db, 64));
  checkCuda(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)); checkCuda(cuEventCreate(&from, CU_EVENT_DEFAULT)); checkCuda(cuEventCreate(&to, CU_EVENT_DEFAULT));
  checkCuda(cuMemcpyHtoD(dx, x.data(), n * sizeof(float))); checkCuda(cuMemcpyHtoDAsync(dy, y.data(), n * sizeof(float), stream));
  checkCuda(cuMemsetD8(db, 7, 64)); checkCuda(cuMemcpyDtoD(db, db + 32, 16));
  checkCuda(cuEventRecord(from, stream));
  saxpy<<<4, 128, 0, stream>>>(n, 2.f, (const float *)dx, (float *)dy);
  checkCuda(cuEventRecord(to, stream)); checkCuda(cuEventSynchronize(to)); checkCuda(cuEventElapsedTime(&ms, from, to));
  checkCuda(cuMemcpyDtoH(y.data(), dy, n * sizeof(float))); checkCuda(cuMemcpyDtoH(two, db, 2));
  checkCuda(cuCtxSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += y[i] != 2 * i + 1;
  printf("saxpy: %d of %d wrong, %d %d, took a time: %s\n", wrong, n, two[0], two[1], ms >= 0 ? "yes" : "no");
  CUdeviceptr all; const char *why = NULL;
  CUresult much = cuMemAlloc(&all, (size_t)1 << 50);
  cuGetErrorName(much, &why);
  printf("%s: %s\n", much == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "other", why);
  checkCuda(cuMemFree(dx)); checkCuda(cuMemFree(dy)); checkCuda(cuMemFree(db)); checkCuda(cuStreamDestroy(stream)); checkCuda(cuEventDestroy(from)); checkCuda(cuEventDestroy(to)); checkCuda(cuCtxDestroy(context));
  return wrong != 0 || much != CUDA_ERROR_OUT_OF_MEMORY;
}
