__global__ void overrun(int *out) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = scratch[threadIdx.x];
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  overrun<<<1, 64, 60 * sizeof(int)>>>(out);
}
// exit: 1
// tells: overrun.*thread 60 writes scratch\[60\] at fault_dynamic_shared.cu:3, but scratch has 60 elements
