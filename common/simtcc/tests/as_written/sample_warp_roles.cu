// prints: roles by barriers 0 wrong, by numbers 0 wrong, latch 0 wrong, semaphore 96, host's 4
// Parts of a block with roles of their own: cuda::barrier that some arrive at and others wait for, bar.sync and bar.arrive with numbers, latches, semaphores.
#include <cstdio>
#include <thread>
#include <vector>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kPart = 32, kBatches = 6;
__device__ void producer(barrier ready[], barrier filled[], float *buffer, const float *in, int n) {
  for (int i = 0; i < n / kPart; ++i) {
    ready[i % 2].arrive_and_wait();
    const int t = cg::this_thread_block().thread_rank();
    buffer[(i % 2) * kPart + t] = in[i * kPart + t];
    barrier::arrival_token token = filled[i % 2].arrive();
    (void)token;
  }
}
__device__ void consumer(barrier ready[], barrier filled[], float *buffer, float *out, int n) {
  barrier::arrival_token token1 = ready[0].arrive(), token2 = ready[1].arrive();
  (void)token1, (void)token2;
  for (int i = 0; i < n / kPart; ++i) {
    filled[i % 2].arrive_and_wait();
    const int t = cg::this_thread_block().thread_rank() - kPart;
    out[i * kPart + t] = 2 * buffer[(i % 2) * kPart + kPart - 1 - t];
    barrier::arrival_token token = ready[i % 2].arrive();
    (void)token;
  }
}
__global__ void specialised(const float *in, float *out, int n) {
  __shared__ float buffer[2 * kPart];
  __shared__ barrier bar[4];  // two are ready to be filled, two are filled
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 4) init(bar + block.thread_rank(), block.size());
  block.sync();
  if (block.thread_rank() < kPart) producer(bar, bar + 2, buffer, in, n);
  else consumer(bar, bar + 2, buffer, out, n);
}
__global__ void numbered(const int *in, int *out) {
  __shared__ int full[64], s[128];
  const int t = threadIdx.x;
  if (t < 64) {
    for (int i = 0; i < 4; ++i) {
      asm volatile("bar.sync %0, %1;" ::"r"(2), "n"(128) : "memory");
      full[t] = in[i * 64 + t];
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
  } else {
    asm volatile("bar.arrive 2, 128;" ::: "memory");
    for (int i = 0; i < 4; ++i) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      out[i * 64 + t - 64] = full[127 - t];
      if (i < 3) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
  asm volatile("barrier.sync 0;" ::: "memory");
  s[t] = in[t];
  if (t / 64) asm volatile("barrier.cta.sync 4, 64;" ::: "memory"); else asm volatile("bar.sync 3, 64;" ::: "memory");
  out[256 + t] = s[t / 64 * 64 + 63 - t % 64];
}
__global__ void latched(int *out, int *sum, cuda::atomic<int, cuda::thread_scope_device> *turns) {
  using latch_t = cuda::latch<cuda::thread_scope_block>;
  __shared__ alignas(latch_t) unsigned char storage[sizeof(latch_t)];
  latch_t &done = *reinterpret_cast<latch_t *>(storage);
  __shared__ cuda::binary_semaphore<cuda::thread_scope_block> lock;
  __shared__ int data[96];
  const int t = threadIdx.x;
  if (t == 0) new (&done) latch_t(64), new (&lock) cuda::binary_semaphore<cuda::thread_scope_block>(1);
  __syncthreads();
  if (t < 64) data[t] = t * t, done.count_down();
  if (t >= 64) done.wait(), out[t - 64] = data[(t - 64) * 2] + data[(t - 64) * 2 + 1];
  if (t % 32 == 0) for (int lane = 0; lane < 32; ++lane) { lock.acquire(); *sum += 1; lock.release(); turns->fetch_add(1, cuda::memory_order_relaxed); }
}
int main() {
  const int n = kPart * kBatches;
  float *in, *out; int *ints, *results, *sum, wrong[3] = {}; cuda::atomic<int, cuda::thread_scope_device> *turns;
  cudaMallocManaged(&in, n * 4); cudaMallocManaged(&out, n * 4); cudaMallocManaged(&ints, 256 * 4); cudaMallocManaged(&results, 512 * 4);
  cudaMallocManaged(&sum, 4); cudaMallocManaged(&turns, sizeof *turns);
  for (int i = 0; i < n; ++i) in[i] = i;
  for (int i = 0; i < 256; ++i) ints[i] = 3 * i;
  *sum = 0; new (turns) cuda::atomic<int, cuda::thread_scope_device>(0);
  specialised<<<1, 2 * kPart>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong[0] += out[i] != 2 * in[i / kPart * kPart + kPart - 1 - i % kPart];
  numbered<<<1, 128>>>(ints, results);
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i) wrong[1] += results[i] != ints[i / 64 * 64 + 63 - i % 64];
  for (int i = 0; i < 128; ++i) wrong[1] += results[256 + i] != ints[i / 64 * 64 + 63 - i % 64];
  latched<<<1, 96>>>(results, sum, turns);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 32; ++i) wrong[2] += results[i] != 4 * i * i + (2 * i + 1) * (2 * i + 1);
  cuda::counting_semaphore<cuda::thread_scope_system, 8> slots(0);
  std::vector<std::thread> threads;
  int got = 0;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { slots.release(); });
  for (auto &t : threads) t.join();
  while (slots.try_acquire()) ++got;
  printf("roles by barriers %d wrong, by numbers %d wrong, latch %d wrong, semaphore %d, host's %d\n", wrong[0], wrong[1], wrong[2], *sum, got);
  return wrong[0] + wrong[1] + wrong[2] != 0 || *sum != turns->load() || got != 4;
}
