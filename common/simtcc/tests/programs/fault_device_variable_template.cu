// An index beyond one variable of a template, and a host variable of another.
template <typename T>
__device__ T table[4];

template <typename T>
__global__ void fill(int n) {
  if (threadIdx.x < n) table<T>[threadIdx.x] = T(1);
}
int main() {
  fill<float><<<1, 32>>>(4);
  fill<double><<<1, 32>>>(5);
  cudaDeviceSynchronize();
}
// exit: 1
// tells: fill<double>.*thread 4 writes .*table<double>.* at fault_device_variable_template.cu:7
