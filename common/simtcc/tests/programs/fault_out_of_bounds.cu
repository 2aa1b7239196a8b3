#include <cstdio>

__global__ void shift(float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) values[i] = i;
}

int main() {
  float *d_values;
  cudaMalloc((void **)&d_values, 100 * sizeof(float));
  printf("before\n");
  shift<<<1, 128>>>(d_values, 100);
  printf("the program goes on\n");
}
// exit: 1
// prints: before
// prints: the program goes on
// tells: shift.*thread 100 writes d_values\[100\] at fault_out_of_bounds.cu:5, but d_values has 100 elements
