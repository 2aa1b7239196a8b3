__global__ void kernel(int *x) {
  __shared__ int a[32] = {};
  x[threadIdx.x] = a[threadIdx.x];
}
int main() {}
// refused: refused_shared_initialiser.cu:2: error: a __shared__ variable has no initial value
