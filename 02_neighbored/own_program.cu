// From an empty file, step 1: threads that say who they are.
#include <cstdio>

__global__ void hello() { printf("block %u, thread %u\n", blockIdx.x, threadIdx.x); }

int main() {
  hello<<<2, 3>>>();
  cudaDeviceSynchronize();
}
