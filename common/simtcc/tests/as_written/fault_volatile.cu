// prints: no error
// exit: 1
// tells: ^tree, block 0: race in shared memory on s
// tells: ^broadcast, block 0: race in shared memory on x\[0\].*same warp
// tells: ^publishes, block 1: race in global memory on value
// tells: ^reads, block 1: race in global memory on value
// tells: ^unroll, block 0: race in global memory .*same warp
// tells: ^half, block 1: race in global memory on flag
// What volatile is taken for and is not: a barrier, lanes in lock-step, a fence on either side, an atomic on one side alone.
#include <cstdio>
#include <cuda_runtime.h>
__device__ int value, flag;
__global__ void tree(const int *in, int *out) {
  volatile __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  for (int d = 64; d > 0; d /= 2)
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  if (threadIdx.x == 0) *out = s[0];
}
__global__ void broadcast(int *out) {
  __shared__ volatile int x;
  if (threadIdx.x == 0) x = 5;
  out[threadIdx.x] = x;
}
__global__ void publishes(volatile int *ready, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    value = 1;
    *ready = 1;
  } else {
    while (!*ready) {
    }
    __threadfence();
    *out = value;
  }
}
__global__ void reads(volatile int *ready, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    value = 2;
    __threadfence();
    *ready = 1;
  } else {
    while (!*ready) {
    }
    *out = value;
  }
}
__global__ void unroll(volatile int *sums) {
  const int t = threadIdx.x;
  if (t < 16) {
    sums[t] += sums[t + 16];
    sums[t] += sums[t + 8];
  }
}
__global__ void half(int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    flag = 1;
  } else {
    while (!*(volatile int *)&flag) {
    }
    *out = 1;
  }
}
int main() {
  int *a, *b, *ready;
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  cudaMalloc(&ready, 2 * sizeof(int));
  cudaMemset(a, 0, 1024);
  cudaMemset(ready, 0, 2 * sizeof(int));
  tree<<<1, 128>>>(a, b);
  broadcast<<<1, 32>>>(b);
  publishes<<<2, 32>>>(ready, b);
  reads<<<2, 32>>>(ready + 1, b);
  unroll<<<1, 32>>>(a);
  half<<<2, 32>>>(b);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
