#include <cstdio>
#include "device_launch_parameters.h"

struct __align__(16) Vec { float x, y, z; };
typedef struct __align__(8) { int a, b; } Two;

static __device__ __noinline__ int slow(int x) { return x + 1; }
__forceinline__ __device__ int quick(int x) { return x + 2; }
__device__ static inline int third(int x) { return x + 3; }
__host__ __device__ constexpr int both(int x) { return x * 2; }
inline __host__ __device__ int either(int x) { return x * 3; }
void __global__ odd(int *__restrict__ out, const int *const __restrict__ in);
static __global__ void hidden(int *out) { *out = 1; }
extern "C" __global__ void plain(int *out) { *out += 1; }
__global__ void __launch_bounds__(128) bounded(int *out) { *out += 1; }
__launch_bounds__(64, 2) __global__ void alsoBounded(int *out) { *out += 1; }

void __global__ odd(int *__restrict__ out, const int *const __restrict__ in) {
  volatile __shared__ int a[32];
  __shared__ volatile int b[32];
  int __shared__ c[32];
  static __shared__ int d[32];
  __shared__ __align__(16) float e[32], f[32];
  __shared__ alignas(32) int g;
  const int t = threadIdx.x;
  a[t] = in[t], b[t] = slow(t), c[t] = quick(t), d[t] = third(t);
  e[t] = both(t), f[t] = either(t);
  if (t == 0) g = 1;
  __syncthreads();
  const int o = 31 - t;
#pragma unroll
  for (int i = 0; i < 1; ++i) out[t] = a[o] + b[o] + c[o] + d[o] + (int)(e[o] + f[o]) + g;
}

int main() {
  int *in, *out, h[32];
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  odd<<<1, 32>>>(out, in);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %zu %zu\n", h[0], h[31], sizeof(Vec), alignof(Two));
  hidden<<<1, 1>>>(out), plain<<<1, 1>>>(out), bounded<<<1, 1>>>(out), alsoBounded<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
}
// prints: 286 7 16 8
// prints: 4
