#include <cstdio>

#include "shift.cuh"

int main() {
  int *values, h[32];
  cudaMalloc((void **)&values, sizeof h);
  cudaMemset(values, 0, sizeof h);
  launchTwice(values, 32);
  cudaMemcpy(h, values, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[3]);
  changeShift(100);
  launchTwice(values, 32);
  cudaMemcpy(h, values, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[31]);
}
