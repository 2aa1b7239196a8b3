// nvcc: takes it
__global__ void sum(unsigned *x) {
  unsigned low, high;
  asm volatile("add.cc.u32 %0, %2, %2; addc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(x[0]));
  x[threadIdx.x] = low + high;
}
int main() {}
// refused: refused_ptx.cu:4: error: PTX \(asm\): "add.cc.u32 %0, %2, %2" is not supported
