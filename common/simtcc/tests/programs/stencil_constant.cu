#include <stdio.h>
#define RADIUS 3
#define BLOCK_SIZE 64

__constant__ float coef[RADIUS + 1];
__constant__ static const int offsets[] = {0, 0};

__global__ void stencil_1d(const float *in, float *out) {
  __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
  }
  __syncthreads();
  float result = temp[lindex] * coef[0] + offsets[1];
  for (int i = 1; i <= RADIUS; i++) result += coef[i] * (temp[lindex - i] + temp[lindex + i]);
  out[gindex - RADIUS] = result;
}

int main() {
  const int n = 256;
  float h[n + 2 * RADIUS], r[n], c[RADIUS + 1] = {1, 0.5f, 0.25f, 0.125f};
  for (int i = 0; i < n + 2 * RADIUS; ++i) h[i] = i;
  float *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof r);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coef, c, sizeof c);
  cudaMemcpyToSymbol(coef, c + 1, sizeof(float), 1 * sizeof(float), cudaMemcpyHostToDevice);
  stencil_1d<<<n / BLOCK_SIZE, BLOCK_SIZE>>>(in, out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  printf("%g %g\n", r[0], r[255]);
}
// prints: 8.25 709.5
