#include <cstdio>

template <int N>
__global__ void large(int *out) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < N; i += blockDim.x) s[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = s[N - 1];
}

int main() {
  const int n = 16384, bytes = n * sizeof(int);
  int *d, h;
  cudaMalloc(&d, sizeof(int));
  large<n><<<1, 64, bytes>>>(d);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFuncSetAttribute(large<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  large<n><<<1, 64, bytes>>>(d);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  int blocks = 0, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large<n>, 64, bytes);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, large<n>, 0, 0);
  printf("%d %d %d\n", h, blocks, block > 0 && grid > 0);
}
// prints: cudaErrorInvalidValue
// prints: cudaSuccess
// prints: 16383 3 1
