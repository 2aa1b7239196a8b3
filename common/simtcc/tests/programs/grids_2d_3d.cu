#include <cstdio>

__global__ void where(int *out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  out[(z * ny + y) * nx + x] = x + 10 * y + 100 * z;
}

int main() {
  const int nx = 9, ny = 7, nz = 5;
  int *d, h[nx * ny * nz];
  cudaMalloc(&d, sizeof h);
  dim3 block(4, 4, 2), grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nz + block.z - 1) / block.z);
  where<<<grid, block>>>(d, nx, ny, nz);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", h[0], h[nx * ny * nz - 1], grid.x * grid.y * grid.z);
}
// prints: 0 468 18
