// nvcc: takes it with -rdc=true
// A kernel launches kernels: in the order of its calls, and they have ended before the next launch of the host.
#include <cstdio>
__global__ void append(int *x, int v) { *x = *x * 10 + v; }
template <typename T> __global__ void twice(T *x) {
  append<<<1, 1>>>(x, 2);
  append<<<1, 1>>>(x, 3);
  *x = 1;
}
int main() {
  int *x, h;
  cudaMalloc(&x, 4);
  twice<<<1, 1>>>(x);
  append<<<1, 1>>>(x, 4);
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
// prints: 1234
