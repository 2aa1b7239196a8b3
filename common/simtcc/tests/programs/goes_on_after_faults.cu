// A race is told and the program goes on; a fault that ends a launch comes back from the calls behind it, as
// with CUDA, until the device is reset. The exit code is 1 in the end.
// exit: 1
// tells: shift, block 0: race in shared memory on part
// once: race in shared memory on part
// tells: outside, block 0: thread 100 writes x\[100\]
// tells: check, block 0: assertion failed
// prints: shifted: no error
// prints: outside: cudaErrorIllegalAddress, cudaErrorIllegalAddress, cudaErrorIllegalAddress
// prints: again: cudaErrorIllegalAddress, pointer 0
// prints: reset: cudaSuccess, 5
// prints: assert: cudaErrorAssert
#include <cassert>
#include <cstdio>

__global__ void shift(int *x) {
  __shared__ int part[64];
  part[threadIdx.x] = int(threadIdx.x);
  x[threadIdx.x] = part[(threadIdx.x + 1) % 64];
}
__global__ void outside(int *x) { x[threadIdx.x] = 1; }
__global__ void five(int *x) { x[threadIdx.x] = 5; }
__global__ void check(int n) { assert(int(threadIdx.x) < n); }

int main() {
  int *x, host[64];
  cudaMalloc(&x, 100 * sizeof(int));
  for (int i = 0; i < 3; ++i) shift<<<1, 64>>>(x);
  std::printf("shifted: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  outside<<<1, 128>>>(x);
  const char *const first = cudaGetErrorName(cudaDeviceSynchronize()), *const last = cudaGetErrorName(cudaGetLastError());
  std::printf("outside: %s, %s, %s\n", first, last, cudaGetErrorName(cudaMemcpy(host, x, 4, cudaMemcpyDeviceToHost)));
  int *y = x;
  five<<<1, 64>>>(x);
  const cudaError_t again = cudaMalloc(&y, 4);
  std::printf("again: %s, pointer %d\n", cudaGetErrorName(again), y != nullptr);
  cudaDeviceReset();
  cudaMalloc(&x, 64 * sizeof(int));
  five<<<1, 64>>>(x);
  std::printf("reset: %s, ", cudaGetErrorName(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost)));
  std::printf("%d\n", host[63]);
  check<<<1, 32>>>(30);
  std::printf("assert: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
