#include <cstdio>

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ op_t chosen = multiply;
__device__ op_t operations[2] = {add, multiply};

__global__ void run(int *f, float *r, op_t given) {
  f[threadIdx.x] = fibonacci(threadIdx.x);
  r[threadIdx.x] = operations[threadIdx.x % 2](float(threadIdx.x), 3.0f) + given(2.0f, 3.0f);
}

int main() {
  int *f, hf[16];
  float *r, hr[16];
  op_t host;
  cudaMalloc(&f, sizeof hf), cudaMalloc(&r, sizeof hr);
  cudaMemcpyFromSymbol(&host, chosen, sizeof(op_t));
  run<<<1, 16>>>(f, r, host);
  cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost), cudaMemcpy(hr, r, sizeof hr, cudaMemcpyDeviceToHost);
  printf("%d %g %g\n", hf[15], hr[4], hr[5]);
}
// prints: 610 13 21
