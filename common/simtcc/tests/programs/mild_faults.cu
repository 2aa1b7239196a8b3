// What hardware forgives is told, and the program goes on.
#include <cstdio>

__global__ void anyThree(const int *x, int *found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] == 3) *found = 1;
}
__global__ void barrierAfterReturn(int *x, int n) {
  __shared__ int part[64];
  if (threadIdx.x >= n) return;
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  x[threadIdx.x] = part[n - 1 - threadIdx.x];
}

int main() {
  int *x, *found, host[100], answer;
  for (int &value : host) value = 3;
  cudaMalloc(&x, sizeof host), cudaMalloc(&found, sizeof answer);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(found, 0, sizeof answer);
  anyThree<<<2, 64>>>(x, found, 100);
  cudaMemset(x, 0, 7 * sizeof(int));
  anyThree<<<2, 64>>>(x, found, 100);  // other threads, and the same mistake
  barrierAfterReturn<<<1, 64>>>(x, 50);
  cudaMemcpy(&answer, found, sizeof answer, cudaMemcpyDeviceToHost);
  printf("found: %d\n", answer);
}
// prints: found: 1
// once: benign race: anyThree, block 0: .*mild_faults.cu:7
// tells: missed barrier: barrierAfterReturn, block 0: __syncthreads at mild_faults.cu:13
