// nvcc: --extended-lambda
#include <cstdio>

template <typename F>
__global__ void forEach(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename F>
int sumOf(int first, int last, F f) {
  return first < last ? f(first) + sumOf(first + 1, last, f) : 0;
}
int ten() { return 10; }

int main() {
  float *x, h[50], factor = 3;
  cudaMalloc(&x, sizeof h);
  forEach<<<2, 16>>>(50, [=] __device__(int i) { x[i] = factor * i; });
  forEach<<<2, 16>>>(50, [x] __host__ __device__(int i) { x[i] += 1; });
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  const int end = 13;
  // Behind a call and a name.
  printf("%g %g %d\n", h[0], h[49], sumOf(ten(), end, [] __host__ __device__(int i) { return i; }));
}
// prints: 1 148 33
