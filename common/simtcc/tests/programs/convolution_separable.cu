#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define IMUL(a, b) __mul24(a, b)
#define KERNEL_RADIUS 2
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
__constant__ float c_Kernel[KERNEL_LENGTH];
extern "C" void setConvolutionKernel(float *h_Kernel) { cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)); }
#define TILE_X 16
#define TILE_Y 8

__global__ void convolutionRows(float *d_Dst, float *d_Src, int imageW, int imageH, int pitch) {
  __shared__ float s_Data[TILE_Y][TILE_X + 2 * KERNEL_RADIUS];
  const int x = IMUL(blockIdx.x, TILE_X) + threadIdx.x, y = IMUL(blockIdx.y, TILE_Y) + threadIdx.y;
  for (int i = threadIdx.x; i < TILE_X + 2 * KERNEL_RADIUS; i += TILE_X) {
    const int source = (int)(blockIdx.x * TILE_X) + i - KERNEL_RADIUS;
    s_Data[threadIdx.y][i] = (source >= 0 && source < imageW) ? d_Src[y * pitch + source] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++) sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + j + KERNEL_RADIUS];
  d_Dst[y * pitch + x] = sum;
}

int main() {
  const int w = 32, h = 16;
  float k[KERNEL_LENGTH] = {1, 2, 3, 2, 1}, image[w * h], *in, *out;
  for (int i = 0; i < w * h; ++i) image[i] = 1;
  setConvolutionKernel(k);
  cudaMalloc(&in, sizeof image), cudaMalloc(&out, sizeof image);
  cudaMemcpy(in, image, sizeof image, cudaMemcpyHostToDevice);
  convolutionRows<<<dim3(w / TILE_X, h / TILE_Y), dim3(TILE_X, TILE_Y)>>>(out, in, w, h, w);
  cudaMemcpy(image, out, sizeof image, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", image[0], image[1], image[40]);
}
// prints: 6 8 9
