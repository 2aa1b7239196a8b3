#include <iostream>
#include <cmath>

__global__ void saxpy(int n, float a, float *x, float *y) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride) y[i] = a * x[i] + y[i];
}

int main() {
  int N = 1 << 12;
  float *x, *y;
  cudaMallocManaged(&x, N * sizeof(float));
  cudaMallocManaged(&y, N * sizeof(float));
  for (int i = 0; i < N; i++) x[i] = 1.0f, y[i] = 2.0f;
  saxpy<<<4, 256>>>(N, 2.0f, x, y);
  cudaDeviceSynchronize();
  float maxError = 0.0f;
  for (int i = 0; i < N; i++) maxError = fmax(maxError, fabs(y[i] - 4.0f));
  std::cout << "Max error: " << maxError << std::endl;
  cudaFree(x);
  cudaFree(y);
}
// prints: Max error: 0
