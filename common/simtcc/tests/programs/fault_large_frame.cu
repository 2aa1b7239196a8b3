// An array of a thread's own that is larger than its stack.
__global__ void fill(int *x) {
  volatile char own[800000];
  own[threadIdx.x * 1000] = 1;
  *x = own[5];
}
int main() {
  int *x;
  cudaMalloc(&x, sizeof(int));
  fill<<<1, 1>>>(x);
}
// exit: 1
// tells: thread 0 has used up its stack of 576 KiB at fault_large_frame.cu
