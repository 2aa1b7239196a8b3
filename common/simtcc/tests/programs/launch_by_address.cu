#include <cstdio>

__global__ void saxpy(float *y, const float *x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
template <typename T>
__global__ void negate(T *x) { x[threadIdx.x] = -x[threadIdx.x]; }

int main() {
  const int n = 100;
  float h[n], *x, *y, a = 2;
  for (int i = 0; i < n; ++i) h[i] = i;
  int count = n;
  cudaMalloc(&x, sizeof h), cudaMalloc(&y, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice), cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice);
  void *arguments[] = {&y, &x, &a, &count};
  cudaLaunchKernel((void *)saxpy, dim3(2), dim3(64), arguments, 0, 0);
  void *one[] = {(void *)&y};
  cudaLaunchKernel((const void *)negate<float>, dim3(1), dim3(64), one, 0, nullptr);
  cudaLaunchKernel(negate<float>, dim3(1), dim3(32), one, 0, nullptr);
  printf("%s\n", cudaGetErrorString(cudaLaunchKernel((void *)saxpy, dim3(1), dim3(4096), arguments, 0, 0)));
  cudaGetLastError();
  cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", h[1], h[40], h[99]);
}
// prints: invalid configuration argument
// prints: 3 -120 297
