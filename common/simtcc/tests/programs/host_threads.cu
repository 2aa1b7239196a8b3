// Host threads that launch kernels with shared memory, static and dynamic, barriers and atomics.
#include <cstdio>
#include <thread>
#include <vector>
__global__ void sum(const int *in, int *out, int n) {
  __shared__ int total;
  extern __shared__ int part[];
  if (threadIdx.x == 0) total = 0;
  part[threadIdx.x] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) part[threadIdx.x] += in[i];
  __syncthreads();
  atomicAdd(&total, part[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
int main() {
  std::vector<int> found(6);
  auto work = [&](int t) {
    const int n = 5000 + t;
    std::vector<int> host(n, t + 1);
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int)), cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (int k = 0; k < 5; ++k) {
      cudaMemset(out, 0, sizeof(int));
      sum<<<4, 96, 96 * sizeof(int)>>>(in, out, n);
      cudaMemcpy(&found[t], out, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(in), cudaFree(out);
  };
  work(5);
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; ++t) threads.emplace_back(work, t);
  for (auto &t : threads) t.join();
  work(5);
  for (int t = 0; t < 6; ++t) printf("%d%c", found[t], t < 5 ? ' ' : '\n');
}
// prints: 5000 10002 15006 20012 25020 30030
