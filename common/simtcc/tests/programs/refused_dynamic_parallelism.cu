// nvcc: takes it with -rdc=true
__global__ void child(int *x) { x[threadIdx.x] = 1; }
__global__ void parent(int *x) { child<<<1, 32>>>(x); }
int main() {}
// refused: refused_dynamic_parallelism.cu:3: error: a kernel that launches a kernel \(dynamic parallelism\) is not supported
