// flags: -std=c++20
// nvcc: --std=c++20
// Kernels that an expression names: a call, an element of an element, a pointer without its type.
#include <cstdio>
#include <vector>

using Kernel = void (*)(int *);
__global__ void one(int *x) { x[threadIdx.x] += 1; }
template <int N>
__global__ void add(int *x) { x[threadIdx.x] += N; }
namespace inner {
__global__ void ten(int *x) { x[threadIdx.x] += 10; }
}
consteval int twice(int value) { return 2 * value; }
__global__ void constants(int *x) { x[threadIdx.x] += twice(3); }
__global__ void aligned(int *x) {
  alignas(16) extern __shared__ int values[];
  values[threadIdx.x] = 100;
  __syncthreads();
  x[threadIdx.x] += values[31 - threadIdx.x];
}
Kernel chosen(bool first) { return first ? one : add<2>; }
template <int N>
Kernel adding() { return add<N>; }
struct Kernels {
  std::vector<Kernel> all{one, add<2>};
  Kernel at(int i) const { return all[i]; }
};

int main() {
  int *d, h;
  cudaMalloc(&d, 32 * sizeof(int));
  cudaMemset(d, 0, 32 * sizeof(int));
  Kernels kernels, *pointer = &kernels;
  Kernel table[2][2] = {{one, add<2>}, {add<3>, add<4>}};
  if (d) (one)<<<1, 32>>>(d);
  chosen(true)<<<1, 32>>>(d);
  adding<3>()<<<1, 32>>>(d);
  (chosen(false))<<<1, 32>>>(d);
  kernels.at(1)<<<1, 32>>>(d);
  pointer->all.at(0)<<<1, 32>>>(d);
  pointer->all[1]<<<1, 32>>>(d);
  table[1][1]<<<1, 32>>>(d);
  constants<<<1, 32>>>(d);
  aligned<<<1, 32, 32 * sizeof(int)>>>(d);
  void *arguments[] = {&d};
  cudaLaunchKernel((void *)&one, 1, 32, arguments, 0, 0);
  cudaLaunchKernel((const void *)(one), 1, 32, arguments, 0, 0);
  cudaLaunchKernel((void *)inner::ten, 1, 32, arguments, 0, 0);
  cudaLaunchKernel(reinterpret_cast<void *>(&add<5>), 1, 32, arguments, 0, 0);
  cudaLaunchKernel(reinterpret_cast<const void *>(inner::ten), 1, 32, arguments, 0, 0);
  cudaMemcpy(&h, d + 7, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
// prints: 149
