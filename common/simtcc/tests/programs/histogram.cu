#include <cstdio>

__global__ void histogram(const unsigned char *buffer, long size, unsigned int *histo) {
  __shared__ unsigned int temp[256];
  temp[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int offset = blockDim.x * gridDim.x;
  while (i < size) {
    atomicAdd(&temp[buffer[i]], 1);
    i += offset;
  }
  __syncthreads();
  atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

int main() {
  static unsigned char buffer[10000];
  for (int i = 0; i < 10000; ++i) buffer[i] = (unsigned char)(i * 7 % 256);
  unsigned char *dev_buffer;
  unsigned int *dev_histo, histo[256];
  cudaMalloc((void **)&dev_buffer, sizeof buffer);
  cudaMemcpy(dev_buffer, buffer, sizeof buffer, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&dev_histo, 256 * sizeof(int));
  cudaMemset(dev_histo, 0, 256 * sizeof(int));
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int blocks = prop.multiProcessorCount;
  histogram<<<blocks * 2, 256>>>(dev_buffer, 10000, dev_histo);
  cudaMemcpy(histo, dev_histo, 256 * sizeof(int), cudaMemcpyDeviceToHost);
  long count = 0;
  for (int i = 0; i < 256; i++) count += histo[i];
  printf("Histogram Sum: %ld, first %u\n", count, histo[0]);
}
// prints: Histogram Sum: 10000, first 40
