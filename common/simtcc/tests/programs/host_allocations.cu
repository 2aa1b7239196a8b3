#include <cstdio>
#include <cstdlib>

__global__ void increment(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i]++;
}

int main() {
  int *pinned, *mapped, *device, *registered = (int *)malloc(4096);
  cudaHostAlloc((void **)&pinned, 400, cudaHostAllocDefault);
  cudaHostAlloc(&mapped, 400, cudaHostAllocMapped | cudaHostAllocPortable);
  for (int i = 0; i < 100; ++i) pinned[i] = mapped[i] = registered[i] = i;
  cudaHostGetDevicePointer(&device, mapped, 0);
  increment<<<1, 128>>>(device, 100);
  cudaHostRegister(registered, 4096, cudaHostRegisterDefault);
  increment<<<1, 128>>>(pinned, 100);
  cudaDeviceSynchronize();
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, pinned);
  printf("%d %d %d\n", pinned[99], mapped[0], attributes.type == cudaMemoryTypeHost);
  cudaHostUnregister(registered);
  cudaFreeHost(pinned);
  cudaFreeHost(mapped);
  printf("%s\n", cudaGetErrorName(cudaFree(&device)));
}
// prints: 100 1 1
// prints: cudaErrorInvalidValue
