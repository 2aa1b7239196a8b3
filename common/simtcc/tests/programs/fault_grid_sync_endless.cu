#include <cooperative_groups.h>

// The blocks come to the barrier of the grid for ever.
__global__ void waits(volatile int *flag) {
  while (*flag == 0) cooperative_groups::this_grid().sync();
}

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  void *arguments[] = {&flag};
  cudaLaunchCooperativeKernel((void *)waits, 3, 32, arguments);
}
// exit: 1
// tells: waits, block .: thread .+ loops for ever at fault_grid_sync_endless.cu:5
