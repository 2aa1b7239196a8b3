// nvcc: takes it
__global__ void sum(unsigned *x) {
  unsigned n;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 1, 64, p; }" : "=r"(n) : "r"(threadIdx.x));
  x[threadIdx.x] = n;
}
int main() {}
// refused: refused_ptx.cu:4: error: PTX \(asm\): "bar.red.popc.u32 %0, 1, 64, p" is not supported
