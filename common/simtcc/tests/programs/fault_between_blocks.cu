// The blocks' sums are read by the last block, without a fence between.
__device__ unsigned blocksDone;

__global__ void sum(const int *x, int *sums, int *total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = x[blockIdx.x];
    last = atomicAdd(&blocksDone, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    *total = 0;
    for (int i = 0; i < gridDim.x; ++i) *total += sums[i];
  }
}

int main() {
  int *x, *sums, *total;
  cudaMalloc(&x, 16), cudaMalloc(&sums, 16), cudaMalloc(&total, 4);
  cudaMemset(x, 0, 16);
  sum<<<4, 32>>>(x, sums, total);
}
// exit: 1
// tells: race in global memory on sums\[.\] between blocks
