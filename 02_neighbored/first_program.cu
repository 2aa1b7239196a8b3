// A complete CUDA program: adds up pairs of neighbours, 0 and 1, 2 and 3, and so on.
#include <cstdio>
#include <cstdlib>
#include <vector>

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  exit(1);
}

__global__ void addPairs(const int* data, int* sums, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) sums[i] = data[2 * i] + data[2 * i + 1];
}

int main() {
  const int pairs = 500000;
  std::vector<int> data(2 * pairs), sums(pairs);
  for (int i = 0; i < 2 * pairs; ++i) data[i] = i;
  const size_t dataBytes = data.size() * sizeof(int), sumsBytes = sums.size() * sizeof(int);

  int *deviceData, *deviceSums;
  check(cudaMalloc(&deviceData, dataBytes));
  check(cudaMalloc(&deviceSums, sumsBytes));
  check(cudaMemcpy(deviceData, data.data(), dataBytes, cudaMemcpyHostToDevice));

  const int block = 256, grid = (pairs + block - 1) / block;
  addPairs<<<grid, block>>>(deviceData, deviceSums, pairs);
  check(cudaGetLastError());

  check(cudaMemcpy(sums.data(), deviceSums, sumsBytes, cudaMemcpyDeviceToHost));
  check(cudaFree(deviceData));
  check(cudaFree(deviceSums));

  for (int i = 0; i < pairs; ++i) {
    if (sums[i] == 4 * i + 1) continue;
    printf("sum %d is %d, and should be %d\n", i, sums[i], 4 * i + 1);
    return 1;
  }
  printf("%d sums are right: %d blocks of %d threads\n", pairs, grid, block);
}
