#include <cstdio>

__global__ void scaleRows(float *data, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width || y >= height) return;
  float *row = (float *)((char *)data + y * pitch);
  row[x] *= y + 1;
}

int main() {
  const int width = 30, height = 5;
  float h[height][width], r[height][width];
  for (int i = 0; i < width * height; ++i) h[0][i] = 1;
  float *d;
  size_t pitch;
  cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
  cudaMemset2D(d, pitch, 0, width * sizeof(float), height);
  cudaMemcpy2D(d, pitch, h, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  scaleRows<<<dim3(1, height), 32>>>(d, pitch, width, height);
  cudaMemcpy2D(r, width * sizeof(float), d, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
  printf("%g %g %d\n", r[0][29], r[4][29], pitch % 256 == 0);
}
// prints: 1 5 1
