// prints: 3000 sorted, permutation kept, 255 nodes of a tree, tail after all: yes
// Kernels that launch kernels: quicksort on streams of its own, insertion sort at the leaves, a tree whose levels launch the next, a tail launch.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#define MAX_DEPTH 24
#define INSERTION_SORT 32
__device__ void selection_sort(unsigned int *data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    unsigned min_val = data[i];
    int min_idx = i;
    for (int j = i + 1; j <= right; ++j) if (data[j] < min_val) { min_idx = j; min_val = data[j]; }
    if (i != min_idx) { data[min_idx] = data[i]; data[i] = min_val; }
  }
}
__global__ void quicksort(unsigned int *data, int left, int right, int depth) {
  if (depth >= MAX_DEPTH || right - left <= INSERTION_SORT) { selection_sort(data, left, right); return; }
  unsigned int *lptr = data + left, *rptr = data + right, pivot = data[(left + right) / 2];
  while (lptr <= rptr) {
    unsigned lval = *lptr, rval = *rptr;
    while (lval < pivot) { lptr++; lval = *lptr; }
    while (rval > pivot) { rptr--; rval = *rptr; }
    if (lptr <= rptr) { *lptr++ = rval; *rptr-- = lval; }
  }
  const int nright = rptr - data, nleft = lptr - data;
  if (left < (rptr - data)) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
    cudaStreamDestroy(s);
  }
  if ((lptr - data) < right) {
    cudaStream_t s1;
    cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
    cudaStreamDestroy(s1);
  }
}
template <typename T> __global__ void level(T *count, int *seen, int at, int depth, int most) {
  __shared__ int live;
  if (threadIdx.x == 0) live = 0;
  __syncthreads();
  atomicAdd(&live, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, T(live == int(blockDim.x)));
    seen[at * gridDim.x + blockIdx.x] = depth;
    if (depth + 1 < most) level<T><<<1, blockDim.x>>>(count, seen, 2 * (at * gridDim.x + blockIdx.x), depth + 1, most), level<T><<<1, blockDim.x, 0, cudaStreamFireAndForget>>>(count, seen, 2 * (at * gridDim.x + blockIdx.x) + 1, depth + 1, most);
  }
}
__global__ void add(int *x, int v) { *x = *x * 10 + v; }
__global__ void order(int *x) {
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(x, 3);
  add<<<1, 1>>>(x, 1);
  add<<<1, 1>>>(x, 2);
  if (cudaGetLastError() != cudaSuccess) *x = -1;
}
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3000, depth = 8;
  std::vector<unsigned> h(n), got(n);
  srand(2047);
  for (auto &v : h) v = rand() % n;
  unsigned *d, *count, nodes; int *seen, *x, hx = 0;
  cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, MAX_DEPTH);
  cudaMalloc(&d, n * 4); cudaMalloc(&count, 4); cudaMalloc(&seen, 4 << depth); cudaMalloc(&x, 4);
  cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, 4); cudaMemset(x, 0, 4);
  quicksort<<<1, 1>>>(d, 0, n - 1, 0);
  level<unsigned><<<1, 64>>>(count, seen, 0, 0, depth);
  order<<<1, 1>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(got.data(), d, n * 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&nodes, count, 4, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hx, x, 4, cudaMemcpyDeviceToHost);
  const bool sorted = std::is_sorted(got.begin(), got.end());
  std::sort(h.begin(), h.end());
  printf("%d %s, permutation %s, %u nodes of a tree, tail after all: %s\n", n, sorted ? "sorted" : "NOT sorted", h == got ? "kept" : "lost", nodes, hx == 123 ? "yes" : "no");
  return !(sorted && h == got && nodes == 255 && hx == 123);
}
