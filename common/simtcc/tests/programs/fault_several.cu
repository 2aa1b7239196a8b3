// Faults that a kernel can go on after are told together.
__global__ void two(const int *unwritten, int *x) {
  __shared__ int part[64];
  part[threadIdx.x] = unwritten[threadIdx.x];
  x[threadIdx.x] = part[63 - threadIdx.x];
}

int main() {
  int *unwritten, *x;
  cudaMalloc(&unwritten, 256), cudaMalloc(&x, 256);
  two<<<1, 64>>>(unwritten, x);
}
// exit: 1
// tells: two, block 0: .*unwritten\[0\] at fault_several.cu:4, which nobody has written
// tells: two, block 0: race in shared memory on part
