// nvcc: --extended-lambda
#include <cstdio>

template <typename F>
__global__ void forEach(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

int main() {
  float *x, h[50], factor = 3;
  cudaMalloc(&x, sizeof h);
  forEach<<<2, 16>>>(50, [=] __device__(int i) { x[i] = factor * i; });
  forEach<<<2, 16>>>(50, [x] __host__ __device__(int i) { x[i] += 1; });
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[49]);
}
// prints: 1 148
