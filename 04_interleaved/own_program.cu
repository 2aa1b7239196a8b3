// From an empty file, step 3: the tree in shared memory, for any length.
#include <cstdio>
#include <cstdlib>
#include <vector>

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  exit(1);
}

__global__ void sumBlocks(const int* data, int* sums, int n) {
  __shared__ int block[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) block[t] += block[t + stride];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = block[0];
}

int main() {
  const int n = 1000003, threads = 256, blocks = (n + threads - 1) / threads;
  std::vector<int> data(n), sums(blocks);
  for (int i = 0; i < n; ++i) data[i] = i % 10;

  int *deviceData, *deviceSums;
  check(cudaMalloc(&deviceData, n * sizeof(int)));
  check(cudaMalloc(&deviceSums, blocks * sizeof(int)));
  check(cudaMemcpy(deviceData, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  sumBlocks<<<blocks, threads>>>(deviceData, deviceSums, n);
  check(cudaGetLastError());
  check(cudaMemcpy(sums.data(), deviceSums, blocks * sizeof(int), cudaMemcpyDeviceToHost));

  long long total = 0, expected = 0;
  for (int sum : sums) total += sum;
  for (int element : data) expected += element;
  printf("sum %lld, and it should be %lld\n", total, expected);
  check(cudaFree(deviceData));
  check(cudaFree(deviceSums));
}
