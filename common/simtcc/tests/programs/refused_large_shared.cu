__global__ void kernel(int *x) {
  __shared__ int a[10000], b[10000];
  a[threadIdx.x] = x[threadIdx.x];
  b[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = a[31 - threadIdx.x] + b[threadIdx.x];
}
int main() {}
// refused: refused_large_shared.cu:2:.*the __shared__ variables take more than 48 KB
