// Loops around grid.sync() whose state lies in shared memory, static and dynamic.
#include <cooperative_groups.h>
#include <cstdio>

// Leaves nothing of the number in the registers that its caller keeps.
__device__ __noinline__ int addOne(int *number) { return ++*number; }

__global__ void counts(int *out, int turns) {
  __shared__ int mine;
  extern __shared__ int dynamic[];
  if (threadIdx.x == 0) mine = 0;
  if (threadIdx.x == 0) dynamic[0] = 0;
  __syncthreads();
  while (blockIdx.x == 0 ? mine < turns : out[0] < turns) {
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) addOne(&mine);
    if (blockIdx.x == 0 && threadIdx.x == 0 && mine == turns) out[0] = turns;
    cooperative_groups::this_grid().sync();
  }
  while (out[1] == 0) {
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0 && addOne(dynamic) == turns) out[1] = dynamic[0];
    cooperative_groups::this_grid().sync();
  }
}

int main() {
  int *out, h[2], turns = 12000;
  cudaMalloc(&out, sizeof h);
  cudaMemset(out, 0, sizeof h);
  void *arguments[] = {&out, &turns};
  cudaLaunchCooperativeKernel((void *)counts, 3, 32, arguments, 64);
  cudaDeviceSynchronize();
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
}
// prints: 12000 12000
