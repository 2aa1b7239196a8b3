// One of the two barriers that a round needs is missing.
#include <cooperative_groups.h>

__global__ void shift(int *a, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  for (int round = 0; round < rounds; ++round) {
    cooperative_groups::this_grid().sync();
    const int next = a[(i + blockDim.x) % n];
    a[i] = next;
  }
}

int main() {
  int *a, rounds = 2;
  cudaMalloc(&a, 128 * sizeof(int));
  void *arguments[] = {&a, &rounds};
  cudaLaunchCooperativeKernel((void *)shift, 4, 32, arguments);
}
// exit: 1
// tells: race in global memory on a\[.*between blocks
