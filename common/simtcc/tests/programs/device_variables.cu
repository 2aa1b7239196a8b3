#include <cstdio>

__device__ int counter;
__device__ float table[4] = {1, 2, 3, 4};
static __device__ unsigned long long first = 7, second;
__managed__ int shared_with_host = 5;
__constant__ int limit = 3;
__device__ __constant__ double pi = 3.25;
__device__ const int powers[] = {1, 2, 4, 8};
__device__ volatile int flags[2];
struct Configuration {
  int a;
  float b[2];
};
__constant__ Configuration configuration;

__global__ void use(float *out) {
  atomicAdd(&counter, limit);
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    second = first * 2;
    shared_with_host += 1;
    out[0] = table[2] + (float)pi + powers[3] + configuration.b[1];
    table[2] = -1;
    flags[1] = 6;
    out[0] += flags[1] - 6;
  }
}

int main() {
  float *out, h, t[4], update = 9;
  cudaMalloc(&out, sizeof(float));
  Configuration c = {1, {2, 3}};
  cudaMemcpyToSymbol(configuration, &c, sizeof c);
  cudaMemcpyToSymbol(table, &update, sizeof(float), 3 * sizeof(float));
  use<<<2, 16>>>(out);
  cudaDeviceSynchronize();
  int n;
  unsigned long long s;
  cudaMemcpyFromSymbol(&n, counter, sizeof n);
  cudaMemcpyFromSymbol(&s, second, sizeof s);
  cudaMemcpyFromSymbol(t, table, sizeof t);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  int f[2];
  cudaMemcpyFromSymbol(f, flags, sizeof f);
  printf("%d %llu %g %g %g %d\n", n, s, h, t[2], t[3], f[1]);
  int *address;
  size_t size;
  cudaGetSymbolAddress((void **)&address, counter);
  cudaGetSymbolAddress((void **)&address, flags);
  cudaGetSymbolSize(&size, flags);
  cudaGetSymbolAddress((void **)&address, counter);
  cudaGetSymbolSize(&size, table);
  cudaMemset(address, 0, sizeof(int));
  cudaMemcpyFromSymbol(&n, counter, sizeof n);
  printf("%d %zu\n", n, size);
}
// prints: 96 14 17.25 -1 9 6
// prints: 0 16
