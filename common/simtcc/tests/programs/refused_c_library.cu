// What the C library has for the host alone; a function or variable of the program's own may be called so.
#include <cstdio>
#include <cstdlib>

__device__ int random(int seed) { return seed * 1103515245 + 12345; }
__global__ void fill(int *x, int time) {
  int kill = threadIdx.x;
  x[kill] = random(time);
  x[threadIdx.x] = rand() % 10;
}
int main() {
  srand(1);
  int *x;
  cudaMalloc(&x, 32 * sizeof(int));
  fill<<<1, 32>>>(x, rand());
}
// refused: refused_c_library.cu:9: error: a kernel cannot call the host function rand
