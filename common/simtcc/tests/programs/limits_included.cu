// What CUDA's own header brings along need not be included.
#include <cstdio>
#include <vector>

__global__ void levels(const int *first, const int *next, unsigned *level, int n, unsigned current, int *changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || atomicAdd(&level[v], 0) != current - 1) return;
  for (int e = first[v]; e < first[v + 1]; e++)
    if (atomicCAS(&level[next[e]], UINT_MAX, current) == UINT_MAX) atomicExch(changed, 1);
}

int main() {
  const int n = 63;
  std::vector<int> first(1), next;
  std::vector<unsigned> level(n, UINT_MAX);
  level[0] = 0;
  for (int v = 0; v < n; v++) {
    for (int child : {2 * v + 1, 2 * v + 2})
      if (child < n) next.push_back(child);
    first.push_back(next.size());
  }
  int *f, *e, *changed, some = 1;
  unsigned *l;
  cudaMalloc(&f, first.size() * sizeof(int));
  cudaMalloc(&e, next.size() * sizeof(int));
  cudaMalloc(&l, n * sizeof(unsigned));
  cudaMalloc(&changed, sizeof(int));
  cudaMemcpy(f, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(e, next.data(), next.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(l, level.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  unsigned current = 0;
  while (some) {
    cudaMemset(changed, 0, sizeof(int));
    levels<<<2, 32>>>(f, e, l, n, ++current, changed);
    cudaMemcpy(&some, changed, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(level.data(), l, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  printf("%u %u %zu\n", level[62], current, strlen("abc"));
}
// prints: 5 6 3
