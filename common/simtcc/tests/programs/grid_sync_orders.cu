// What blocks did before a barrier of the grid is there for all others after it.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void shift(int *a, int *b, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  for (int round = 0; round < rounds; ++round) {
    cooperative_groups::this_grid().sync();
    b[i] = a[(i + blockDim.x) % n];
    cooperative_groups::this_grid().sync();
    a[i] = b[i];
  }
}

int main() {
  int *a, *b, first, rounds = 3;
  cudaMalloc(&a, 128 * sizeof(int)), cudaMalloc(&b, 128 * sizeof(int));
  void *arguments[] = {&a, &b, &rounds};
  cudaLaunchCooperativeKernel((void *)shift, 4, 32, arguments);
  cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
  printf("%d\n", first);
}
// prints: 96
