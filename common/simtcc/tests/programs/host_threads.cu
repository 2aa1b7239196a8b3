// Host threads that launch kernels with shared memory, static and dynamic, barriers and atomics; and
// one that gives a running kernel its work through mapped memory.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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
// box: what is in it, the rounds given, the rounds taken
__global__ void consume(volatile int *box, int rounds, int *sum) {
  for (int r = 1; r <= rounds; ++r) {
    while (box[1] < r) __nanosleep(100);
    __threadfence_system();
    *sum += box[0];
    __threadfence_system();
    box[2] = r;
  }
}
int sumOfMapped() {
  int *mapped, *onDevice, *sum, total;
  cudaHostAlloc(&mapped, 3 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&onDevice, mapped, 0);
  cudaMalloc(&sum, sizeof(int)), cudaMemset(sum, 0, sizeof(int));
  volatile int *const box = mapped;
  box[0] = box[1] = box[2] = 0;
  std::thread feeder([=] {
    for (int r = 1; r <= 5; ++r) {
      box[0] = r * r;
      std::atomic_thread_fence(std::memory_order_seq_cst);
      box[1] = r;
      while (box[2] < r) std::this_thread::yield();
      if (r == 3) std::this_thread::sleep_for(std::chrono::milliseconds(700));
    }
  });
  consume<<<1, 1>>>(onDevice, 5, sum);
  if (cudaDeviceSynchronize() != cudaSuccess) std::_Exit(3);
  feeder.join();
  cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFreeHost(mapped), cudaFree(sum);
  return total;
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
  printf("%d\n", sumOfMapped());
}
// prints: 5000 10002 15006 20012 25020 30030
// prints: 55
