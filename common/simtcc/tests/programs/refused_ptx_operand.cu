// nvcc: refuses it
__global__ void sum(unsigned *x) {
  unsigned value;
  asm volatile("mov.u32 %0, %99999999999999999999;" : "=r"(value));
  x[threadIdx.x] = value;
}
int main() {}
// refused: refused_ptx_operand.cu:4: error: PTX \(asm\): "mov.u32 %0, %99999999999999999999" is not supported
