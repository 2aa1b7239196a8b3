// A block waits for another one, which takes its time: both are traced for the estimate.
#include <cstdio>

__global__ void handOver(int *flag, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) __nanosleep(100);
    __threadfence();
    out[0] = out[1] + 1;
    return;
  }
  unsigned x = 1;
  for (int i = 0; i < 100000; ++i) x = x * 5 + 1;
  out[1] = x != 0 ? 6 : 0;
  __threadfence();
  atomicExch(flag, 1);
}

int main() {
  int *flag, *out, result;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  handOver<<<2, 32>>>(flag, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
}
// prints: 7
