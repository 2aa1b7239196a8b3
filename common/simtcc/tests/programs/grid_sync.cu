#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// Sums in two steps of one launch, and then every block uses the total.
__global__ void normalise(float *x, float *blockSums, int n) {
  cg::grid_group grid = cg::this_grid();
  __shared__ float part[64];
  extern __shared__ float mine[];
  float sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i];
  part[threadIdx.x] = sum;
  mine[threadIdx.x] = blockIdx.x;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) blockSums[blockIdx.x] = part[0];
  grid.sync();
  if (grid.thread_rank() == 0) {
    float total = 0;
    for (int i = 0; i < gridDim.x; ++i) total += blockSums[i];
    blockSums[0] = total;
  }
  cg::sync(grid);
  if (mine[threadIdx.x] != blockIdx.x) x[0] = -1;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] /= blockSums[0];
}

int main() {
  int n = 1000, supported = 0, perMultiprocessor = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, normalise, 64, 64 * sizeof(float));
  float h[1000], *x, *sums;
  for (float &v : h) v = 2;
  cudaMalloc(&x, sizeof h), cudaMalloc(&sums, 8 * sizeof(float));
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  void *arguments[] = {&x, &sums, &n};
  cudaLaunchCooperativeKernel((void *)normalise, dim3(8), dim3(64), arguments, 64 * sizeof(float), 0);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %d\n", h[0], h[999], supported);
  printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void *)normalise, dim3(perMultiprocessor * properties.multiProcessorCount + 1), dim3(64), arguments, 64 * sizeof(float), 0)));
}
// prints: cudaSuccess
// prints: 0.001 0.001 1
// prints: cudaErrorCooperativeLaunchTooLarge
