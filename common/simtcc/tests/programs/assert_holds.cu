#include <cassert>
#include <cstdio>

__global__ void check(int n) { assert(threadIdx.x < n && "too many threads"); }

int main() {
  check<<<1, 32>>>(32);
  assert(cudaDeviceSynchronize() == cudaSuccess);
  printf("fine\n");
}
// prints: fine
