#include <cstdio>
#include <cstdlib>

__global__ void bitonicSortStep(int *values, int j, int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int partner = i ^ j;
  if (partner > i) {
    const bool up = (i & k) == 0;
    if ((values[i] > values[partner]) == up) {
      int t = values[i];
      values[i] = values[partner];
      values[partner] = t;
    }
  }
}

void bitonicSort(int *host, int n) {
  int *values;
  size_t bytes = n * sizeof(int);
  cudaMalloc((void **)&values, bytes);
  cudaMemcpy(values, host, bytes, cudaMemcpyHostToDevice);
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j = j >> 1) bitonicSortStep<<<n / 64, 64>>>(values, j, k);
  cudaMemcpy(host, values, bytes, cudaMemcpyDeviceToHost);
  cudaFree(values);
}

int main() {
  int a[256];
  for (int i = 0; i < 256; ++i) a[i] = i * 97 % 256;
  bitonicSort(a, 256);
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += a[i] != i;
  printf("%d wrong\n", wrong);
}
// prints: 0 wrong
