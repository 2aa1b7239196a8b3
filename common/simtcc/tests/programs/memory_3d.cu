// Memory of three dimensions, whole and in part.
#include <cstdio>
#include <cstring>

__global__ void fill(cudaPitchedPtr array, cudaExtent extent) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char *slice = (char *)array.ptr + z * array.pitch * extent.height;
  float *row = (float *)(slice + y * array.pitch);
  if (x < extent.width / sizeof(float)) row[x] += x + 10 * y + 100 * z;
}

int main() {
  const int width = 10, height = 5, depth = 3;
  const cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
  cudaPitchedPtr array;
  cudaMalloc3D(&array, extent);
  cudaMemset3D(array, 0, extent);
  fill<<<dim3(height, depth), 32>>>(array, extent);

  float h[depth][height][width];
  cudaMemcpy3DParms all = {0};
  all.srcPtr = array;
  all.dstPtr = make_cudaPitchedPtr(h, width * sizeof(float), width, height);
  all.extent = extent;
  all.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&all);
  printf("%g %g\n", h[2][4][9], h[1][0][3]);

  memset(h, 0, sizeof h);
  cudaMemcpy3DParms part = all;
  part.srcPos = make_cudaPos(2 * sizeof(float), 1, 1);
  part.dstPos = make_cudaPos(sizeof(float), 2, 0);
  part.extent = make_cudaExtent(3 * sizeof(float), 2, 2);
  cudaMemcpy3DAsync(&part, 0);
  printf("%g %g %g %g\n", h[0][2][1], h[1][3][3], h[0][2][0], h[0][1][1]);

  part.srcPos.x = array.pitch - 8;
  part.srcPos.z = 2;
  part.srcPos.y = 4;
  printf("%s\n", cudaGetErrorName(cudaMemcpy3D(&part)));
  cudaFree(array.ptr);
}
// prints: 249 103
// prints: 112 224 0 0
// prints: cudaErrorInvalidValue
