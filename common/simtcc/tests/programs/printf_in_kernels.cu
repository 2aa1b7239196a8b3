#include <cstdio>

__global__ void helloFromGPU(const char c) {
  printf("Hello World from GPU %c thread %d block (%d,%d)\n", c, threadIdx.x, blockIdx.x, blockIdx.y);
}
__global__ void another() {
  if (threadIdx.x == 5) printf("%s %5.2f %llu\n", "from another", 2.5, 1ull << 40);
}

int main() {
  printf("Hello World from CPU\n");
  helloFromGPU<<<1, 2>>>('x');
  another<<<1, 32>>>();
  cudaDeviceReset();
  return 0;
}
// prints: Hello World from CPU
// prints: Hello World from GPU x thread 0 block (0,0)
// prints: Hello World from GPU x thread 1 block (0,0)
// prints: from another  2.50 1099511627776
