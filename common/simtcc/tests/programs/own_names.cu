// also: own_names/other.cu
// What a program may have under names that others use, too: a file's device variables, functions
// that older CUDA had, names of std beside "using namespace std", letters beyond ASCII on the host.
// prints: 31 2.5 6 52
// tells: writes gewählt\[32\] at own_names.cu:[0-9]+, but gewählt has 32 elements
// exit: 1
#include <cmath>
#include <cstdio>
using namespace std;

template <typename T>
__device__ T __shfl_down(T value, int by) {
  return __shfl_down_sync(0xffffffffu, value, by);
}
template <typename T>
struct texture {
  T value;
};
__host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }

float *array;
int size, data;
static __device__ int counter;
__device__ int count, last;
__constant__ int factor = 5;
__managed__ int function, plus, less, hash, bind, ref, vector, string;

__global__ void kernel(float *out, int *highest) {
  int v = threadIdx.x;
  for (int by = 16; by > 0; by /= 2) v = max(v, __shfl_down(v, by));
  if (threadIdx.x == 0) {
    *highest = v;
    *out = lerp(1.f, 4.f, texture<float>{0.5f}.value);
    counter = factor, last = 1, count = function + plus + less + hash + bind + ref + vector + string;
  }
}
__global__ void fill(int *place) { place[threadIdx.x] = 1; }

int countOfOther();

int main() {
  int *gewählt, highest, counted, from;
  float between;
  cudaMalloc(&array, sizeof(float));
  cudaMalloc(&gewählt, 32 * sizeof(int));
  // clang-format off
  kernel << <1, 32>> >(array, gewählt);
  // clang-format on
  cudaMemcpy(&highest, gewählt, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&between, array, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
  cudaMemcpyFromSymbol(&from, last, sizeof from);
  size = countOfOther();
  data = counted + from;
  printf("%d %g %d %d\n", highest, between, data, size);
  fill<<<1, 33>>>(gewählt);
  cudaDeviceSynchronize();
}
