__global__ void half(int *x) {
  if (threadIdx.x < 16) x[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 0);
  __syncthreads();
}

int main() {
  int *x;
  cudaMalloc(&x, 128);
  half<<<1, 32>>>(x);
}
// exit: 1
// tells: shuffle
