#include <cstdio>

__global__ void timed(long long *ticks) {
  const long long start = clock64();
  __nanosleep(100);
  ticks[threadIdx.x] = clock64() - start + (clock() < 0);
}

int main() {
  long long *d, h[32];
  cudaMalloc(&d, sizeof h);
  timed<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0] >= 0);
}
// prints: 1
