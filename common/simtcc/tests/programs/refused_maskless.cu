__global__ void kernel(int *x) { x[threadIdx.x] = __shfl_down(x[threadIdx.x], 1); }
int main() {}
// refused: refused_maskless.cu:1: error: __shfl_down without a mask is gone since CUDA 9: use __shfl_down_sync
