// says: ^Result = PASS$
// Tiles copied ahead: a pipeline with a producer warp and consumers, a barrier with arrive and wait, and memcpy_async.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#define STAGES 2
#define TILE 96

__global__ void producerConsumer(const int *in, int *out, int tiles) {
  __shared__ int buffer[STAGES][TILE];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  const auto role = block.thread_rank() < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int t = 0; t < tiles; ++t) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < TILE; i += 32)
        cuda::memcpy_async(&buffer[t % STAGES][i], &in[t * TILE + i], cuda::aligned_size_t<alignof(int)>(sizeof(int)), pipe);
      pipe.producer_commit();
    }
  } else {
    const int me = threadIdx.x - 32;
    for (int t = 0; t < tiles; ++t) {
      pipe.consumer_wait();
      out[t * TILE + me] = 2 * buffer[t % STAGES][TILE - 1 - me];
      pipe.consumer_release();
    }
  }
}
__global__ void splitBarrier(const float *in, float *out, int n) {
  __shared__ barrier bar;
  __shared__ float s[128];
  auto cta = cg::this_thread_block();
  if (cta.thread_rank() == 0) init(&bar, cta.size());
  cta.sync();
  for (int base = 0; base < n; base += 128) {
    cuda::memcpy_async(cta, s, in + base, sizeof(float) * 128, bar);
    barrier::arrival_token token = bar.arrive();
    float other = 1.0f;
    bar.wait(std::move(token));
    out[base + threadIdx.x] = s[127 - threadIdx.x] + other;
    bar.arrive_and_wait();
  }
}
int main() {
  const int tiles = 5, n = TILE * tiles, m = 512;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; i++) in[i] = rand() % 1000;
  producerConsumer<<<1, 32 + TILE>>>(in, out, tiles);
  cudaError_t e = cudaDeviceSynchronize();
  bool ok = e == cudaSuccess;
  for (int t = 0; t < tiles; t++)
    for (int i = 0; i < TILE; i++) ok &= out[t * TILE + i] == 2 * in[t * TILE + TILE - 1 - i];
  float *fin, *fout;
  cudaMallocManaged(&fin, m * sizeof(float));
  cudaMallocManaged(&fout, m * sizeof(float));
  for (int i = 0; i < m; i++) fin[i] = i;
  splitBarrier<<<1, 128>>>(fin, fout, m);
  ok &= cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < m; i++) ok &= fout[i] == (i / 128) * 128 + 127 - i % 128 + 1.0f;
  printf("Result = %s\n", ok ? "PASS" : "FAIL");
  return !ok;
}
