#include <cstdio>

// The last block adds up what the others left, and sets the counter back: atomicInc after a fence
// tells it that it is the last, and nobody counts any more.
__device__ unsigned count = 0;
__shared__ bool isLastBlockDone;

__global__ void sum(const float *array, unsigned n, volatile float *result) {
  __shared__ float sums[64];
  float own = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += array[i];
  sums[threadIdx.x] = own;
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    __syncthreads();
    if (threadIdx.x < k) sums[threadIdx.x] += sums[threadIdx.x + k];
  }
  if (threadIdx.x == 0) {
    result[blockIdx.x] = sums[0];
    __threadfence();
    isLastBlockDone = atomicInc(&count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLastBlockDone && threadIdx.x == 0) {
    float total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += result[b];
    result[0] = total;
    count = 0;
  }
}

int main() {
  const unsigned n = 1000;
  float host[n], *array, *result, total[2];
  for (unsigned i = 0; i < n; ++i) host[i] = i % 7;
  cudaMalloc(&array, sizeof host), cudaMalloc(&result, 16 * sizeof(float));
  cudaMemcpy(array, host, sizeof host, cudaMemcpyHostToDevice);
  for (float &t : total) {
    sum<<<16, 64>>>(array, n, result);
    cudaMemcpy(&t, result, sizeof t, cudaMemcpyDeviceToHost);
  }
  printf("%g %g\n", total[0], total[1]);
}
// prints: 2997 2997
// tells: benign race: sum, block 15: .*last_block_counter.cu:27: the write comes after an atomic of its own
