// Kernels and functions that are taken for each other.
// refused: refused_kernel_uses.cu:6: error: gives is a kernel, whose type must be void
// refused: :12: error: notAKernel is launched and no kernel: it lacks __global__
// refused: :13: error: k is a kernel, which is launched: k<<<grid, block>>>
__global__ void k(int *a) { a[threadIdx.x] = 1; }
__global__ int gives(int *a) { return a[0]; }
void notAKernel(int *a) { a[0] = 1; }
void callsBack(void (*k)(int *), int *a) { k(a); }  // a parameter of that name
int main() {
  int *a;
  cudaMalloc(&a, 128);
  notAKernel<<<1, 32>>>(a);
  k(a);
}
