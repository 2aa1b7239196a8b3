// What a kernel copies by memcpy is seen like any other access, also with checked functions of the
// C library (_FORTIFY_SOURCE).
// exit: 1
// prints: the program goes on
// tells: race
// tells: to\[
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#include <cstdio>
#include <cstring>

struct Three {
  float x, y, z;
};

__global__ void allToOne(Three* to, const Three* from) {
  memcpy(&to[0], &from[threadIdx.x], sizeof(Three));
}

int main() {
  Three *to, *from, host[32];
  for (int i = 0; i < 32; ++i) host[i] = {float(i), 0, 0};
  cudaMalloc(&to, sizeof host);
  cudaMalloc(&from, sizeof host);
  cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
  allToOne<<<1, 32>>>(to, from);
  cudaDeviceSynchronize();
  printf("the program goes on\n");
}
