int square(int x) { return x * x; }
__global__ void squares(int *x) { x[threadIdx.x] = square(threadIdx.x); }
int main() {}
// refused: refused_host_helper.cu:2: error: a kernel cannot call the host function square: it lacks __device__
