#include <cstdio>
__global__ void check(int *x) {
  if (*x != 1) __trap();
}
int main() {
  int *x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  check<<<1, 1>>>(x);
}
// exit: 1
// tells: thread 0 ends at a trap at fault_trap.cu:3
