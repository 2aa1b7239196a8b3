#include <cstdio>

extern __shared__ char raw[];

// The usual way around two templates that want the same name with two types.
template <class T>
struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};

template <typename T>
__global__ void reverse(T *x) {
  T *s = SharedMemory<T>();
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void mixed(double *out, int n) {
  extern __shared__ __align__(16) double doubles[];
  int *ints = (int *)&doubles[n];
  doubles[threadIdx.x] = threadIdx.x * 0.5;
  ints[threadIdx.x] = threadIdx.x;
  __syncthreads();
  double *again = reinterpret_cast<double *>(raw);
  out[threadIdx.x] = again[n - 1 - threadIdx.x] + ints[threadIdx.x];
}

int main() {
  double *d, h[32];
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  reverse<double><<<1, 32, 32 * sizeof(double)>>>(d);
  reverse<int><<<1, 32, 32 * sizeof(int)>>>((int *)d);
  reverse<int><<<1, 32, 32 * sizeof(int)>>>((int *)d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[31]);
  mixed<<<1, 32, 32 * (sizeof(double) + sizeof(int))>>>(d, 32);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[31]);
}
// prints: 31 0
// prints: 15.5 31
