// nvcc: takes it
__global__ void sum(unsigned *x) {
  x[threadIdx.x] = 1;
  asm volatile("bar.sync 1, 64;");
}
int main() {}
// refused: refused_ptx.cu:4: error: PTX \(asm\): "bar.sync 1, 64" is not supported
