#include "explore/tests/explored_kernels.h"

__global__ void racing(int* data) {
  data[threadIdx.x] = int(threadIdx.x);
  data[threadIdx.x + 32] = data[(threadIdx.x + 1) % 32];
}

__global__ void racingInShared(int* data) {
  __shared__ int words[64];
  words[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = words[(threadIdx.x + 1) % 64];
}

__global__ void racingThrice(int* data) {
  data[threadIdx.x] = int(threadIdx.x);
  data[threadIdx.x + 32] = data[(threadIdx.x + 1) % 32];
  __syncthreads();
  data[64] = 1;
  data[65] = int(threadIdx.x);
}

__global__ void racingFromBlock5(int* data) {
  int* const block = data + 64 * blockIdx.x;
  block[threadIdx.x] = 1;
  if (blockIdx.x >= 5) block[threadIdx.x + 32] = block[(threadIdx.x + 1) % 32];
}

__global__ void conflicting(int* data) {
  __shared__ int words[64];
  words[2 * threadIdx.x] = int(threadIdx.x);
  __syncwarp();
  data[threadIdx.x] = words[2 * threadIdx.x];
}

__global__ void halves(double* data) {
  if (threadIdx.x < 16)
    data[threadIdx.x] = 0.5;
  else
    atomicAdd(&data[16], 1.5);
}

__global__ void lookingLikeFloats(int* data, unsigned* others) {
  __shared__ float halves[32], more[2];
  __shared__ unsigned int naturals[32];
  const unsigned t = threadIdx.x;
  data[t] = 0x3f800000 + int(t);
  naturals[t] = 0u - t;
  halves[t] = float(t) / 2;
  if (t < 2) more[t] = halves[t] * 0;
  __syncthreads();
  if (t == 1) others[0] = naturals[t] + unsigned(more[0]);
}
