// A shared array that nobody ever writes is not zero on a GPU.
// exit: 1
// prints: the program goes on
// tells: reads never.0. at .* which nobody has written
#include <cstdio>

__global__ void readsIt(int* out) {
  __shared__ int never[32];
  out[threadIdx.x] = never[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  readsIt<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("the program goes on\n");
}
