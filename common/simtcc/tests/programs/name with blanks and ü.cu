#include <cstdio>
__global__ void one(int *x) { *x = __LINE__; }
int main() {
  int *x, h;
  cudaMalloc(&x, sizeof(int));
  one<<<1, 1>>>(x);
  cudaMemcpy(&h, x, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
// prints: 2
