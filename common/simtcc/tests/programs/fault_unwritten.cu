__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int)), cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 31 * sizeof(int));
  copy<<<1, 32>>>(in, out);
}
// exit: 1
// tells: copy, block 0: thread 31 reads in\[31\] at fault_unwritten.cu:1, which nobody has written
