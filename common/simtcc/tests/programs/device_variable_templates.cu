// A variable template on the device becomes a variable of its own for each type.
#include <cstdio>

template <typename T>
__device__ T factor = T(3);
template <int n>
__constant__ int square = n * n;
template <typename T>
__device__ constexpr T pi = T(3.25);
template <typename T>
__device__ T table[4];
template <>
__device__ int factor<int> = 10;
namespace inner {
template <class T, int n = 2>
static __device__ T scaled = T(n);
}

template <typename T>
__global__ void use(T *out) {
  out[0] = factor<T> * pi<T> + square<4> + inner::scaled<T>;
  factor<T> = T(1);
  for (int i = 0; i < 4; i++) table<T>[i] = T(i);
  atomicAdd(&inner::scaled<T, 5>, table<T>[3]);
}

template <typename T>
void run() {
  T *out, value, left, most;
  cudaMalloc(&out, sizeof(T));
  use<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&left, factor<T>, sizeof(T));
  cudaMemcpyFromSymbol(&most, inner::scaled<T, 5>, sizeof(T));
  printf("%g %g %g\n", double(value), double(left), double(most));
}

int main() {
  run<float>();
  run<int>();
}
// prints: 27.75 1 8
// prints: 48 1 8
