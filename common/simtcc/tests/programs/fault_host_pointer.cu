__global__ void fill(int *x) { x[threadIdx.x] = 1; }

int main() {
  static int host[32];
  fill<<<1, 32>>>(host);
}
// exit: 1
// tells: fill, block 0: thread 0 writes memory that is neither a device array nor shared at fault_host_pointer.cu:1
