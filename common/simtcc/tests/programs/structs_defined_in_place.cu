// Variables of a struct or union that is defined where they are.
#include <cstdio>

__constant__ struct {
  int factor;
  float more[3];
} parameters;
__device__ union {
  float number;
  unsigned bits;
} both;

__global__ void use(int *out) {
  __shared__ struct {
    int x;
    float y;
  } pair;
  __shared__ union {
    int i[32];
    float f[32];
  } either;
  if (threadIdx.x == 0) {
    pair.x = 2;
    pair.y = parameters.more[1];
    both.number = 1.0f;
  }
  either.i[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = parameters.factor * (pair.x + int(pair.y) + either.i[31 - threadIdx.x]);
}

int main() {
  struct {
    int factor;
    float more[3];
  } host = {10, {1, 4, 2}};
  int *out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMemcpyToSymbol(parameters, &host, sizeof host);
  use<<<1, 32>>>(out);
  unsigned bits;
  cudaMemcpyFromSymbol(&bits, both, sizeof bits);
  printf("%d %d %x\n", out[0], out[31], bits);
}
// prints: 370 60 3f800000
