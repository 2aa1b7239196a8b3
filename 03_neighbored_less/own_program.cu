// From an empty file, step 2: an array goes to the GPU, and each block leaves one sum.
#include <cstdio>
#include <cstdlib>
#include <vector>

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  exit(1);
}

__global__ void sumBlocks(int* data, int* sums) {
  int* const block = data + blockIdx.x * blockDim.x;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned i = 2 * stride * threadIdx.x;
    if (i < blockDim.x) block[i] += block[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = block[0];
}

int main() {
  const int threads = 256, blocks = 1000, n = blocks * threads;
  std::vector<int> data(n), sums(blocks);
  for (int i = 0; i < n; ++i) data[i] = i % 10;

  int *deviceData, *deviceSums;
  check(cudaMalloc(&deviceData, n * sizeof(int)));
  check(cudaMalloc(&deviceSums, blocks * sizeof(int)));
  check(cudaMemcpy(deviceData, data.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  sumBlocks<<<blocks, threads>>>(deviceData, deviceSums);
  check(cudaGetLastError());
  check(cudaMemcpy(sums.data(), deviceSums, blocks * sizeof(int), cudaMemcpyDeviceToHost));

  long long total = 0, expected = 0;
  for (int sum : sums) total += sum;
  for (int element : data) expected += element;
  printf("sum %lld, and it should be %lld\n", total, expected);
  check(cudaFree(deviceData));
  check(cudaFree(deviceSums));
}
