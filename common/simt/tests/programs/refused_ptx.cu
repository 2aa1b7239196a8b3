// nvcc: takes it
__global__ void lane(unsigned *x) {
  unsigned id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  x[threadIdx.x] = id;
}
int main() {}
// refused: refused_ptx.cu:4: error: PTX \(asm\) is not supported
