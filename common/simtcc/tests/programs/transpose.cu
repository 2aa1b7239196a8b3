#include <cstdio>
#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transposeNoBankConflicts(float *odata, const float *idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int nx = 64, ny = 64;
  static float in[nx * ny], out[nx * ny];
  for (int i = 0; i < nx * ny; ++i) in[i] = float(i);
  float *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in), cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  transposeNoBankConflicts<<<dim3(nx / TILE_DIM, ny / TILE_DIM, 1), dim3(TILE_DIM, BLOCK_ROWS, 1)>>>(d_out, d_in);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", out[1], out[64], out[63 * 64 + 5]);
}
// prints: 64 1 383
