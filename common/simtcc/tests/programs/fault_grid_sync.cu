#include <cooperative_groups.h>

__global__ void uneven(int *x) {
  if (blockIdx.x != 2) cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) x[blockIdx.x] = 1;
}

int main() {
  int *x;
  cudaMalloc(&x, 4 * sizeof(int));
  void *arguments[] = {&x};
  cudaLaunchCooperativeKernel((void *)uneven, 4, 32, arguments);
}
// exit: 1
// tells: uneven, block .: a grid.sync\(\) that never completes: block \(2, 0, 0\) has ended without it
