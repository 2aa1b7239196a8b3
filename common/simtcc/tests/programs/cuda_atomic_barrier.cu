#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>

__global__ void count(int *out, unsigned *flags) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier bar;
  __shared__ int data[64];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  data[threadIdx.x] = threadIdx.x;
  bar.arrive_and_wait();
  cuda::atomic_ref<int, cuda::thread_scope_device> total(*out);
  total.fetch_add(data[63 - threadIdx.x], cuda::memory_order_relaxed);
  total.fetch_max(5, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> flag(flags[0]);
  flag.fetch_or(1u << threadIdx.x % 32);
  flag++;
  unsigned expected = 12345;
  if (!flag.compare_exchange_strong(expected, 0u) && expected == 12345) flags[0] = 0;
}

int main() {
  int *out, h;
  unsigned *flags;
  cudaMalloc(&out, 4), cudaMalloc(&flags, 4);
  cudaMemset(out, 0, 4), cudaMemset(flags, 0, 4);
  count<<<1, 64>>>(out, flags);
  cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
// prints: 2016
