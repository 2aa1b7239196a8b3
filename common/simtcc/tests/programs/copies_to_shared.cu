// Copies to shared memory that a thread, a group or a block begins and waits for.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;
const int block = 64, batches = 8;

template <int stages>
__global__ void staged(const int *in, int *out) {
  __shared__ int buffer[stages][block];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto group = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(group, &state);
  int next = 0;
  for (int now = 0; now < batches; ++now) {
    for (; next < batches && next < now + stages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(group, buffer[next % stages], in + next * block, sizeof(int) * block, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[now * block + threadIdx.x] = buffer[now % stages][block - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}
// Each thread for itself, with the pipeline and with the primitives.
__global__ void alone(const int *in, int *out) {
  __shared__ int buffer[2][block];
  const int t = threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&buffer[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.producer_acquire();
  cuda::memcpy_async(&buffer[1][t], &in[block + t], sizeof(int), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  out[t] = buffer[0][t];
  pipe.consumer_release();
  pipe.consumer_wait();
  out[block + t] = buffer[1][t];
  pipe.consumer_release();
  __syncthreads();
  __pipeline_memcpy_async(&buffer[0][t], &in[2 * block + t], sizeof(int));
  __pipeline_commit();
  __pipeline_memcpy_async(&buffer[1][t], &in[3 * block + t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[2 * block + t] = buffer[0][block - 1 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[3 * block + t] = buffer[1][block - 1 - t];
}
__global__ void groups(const int4 *in, int *out) {
  extern __shared__ int4 whole[];
  __shared__ int4 ofWarp[2][32];
  auto all = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(all);
  cg::memcpy_async(all, whole, in, sizeof(int4) * block);
  cg::memcpy_async(warp, ofWarp[warp.meta_group_rank()], cuda::aligned_size_t<16>(32),
                   in + 32 * warp.meta_group_rank(), cuda::aligned_size_t<16>(32));
  cg::wait(all);
  out[threadIdx.x] = whole[block - 1 - threadIdx.x].x + ofWarp[threadIdx.x / 32][31 - threadIdx.x % 32].w;
}
__global__ void byInstructions(const float4 *in, float4 *out) {
  __shared__ float4 buffer[2][block];
  extern __shared__ float4 more[];
  const auto copy = [](void *to, const void *from) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(address), "l"(from));
  };
  copy(&buffer[1][threadIdx.x], in + threadIdx.x);
  asm volatile("cp.async.commit_group;");
  copy(&more[threadIdx.x], in + threadIdx.x);
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group %0;" ::"n"(1));
  __syncthreads();
  out[threadIdx.x] = buffer[1][block - 1 - threadIdx.x];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x].w = more[block - 1 - threadIdx.x].x;
}
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void withBarrier(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int buffer[block];
  auto all = cg::this_thread_block();
  if (all.thread_rank() == 0) init(&barrier, all.size());
  all.sync();
  cuda::memcpy_async(all, buffer, in, cuda::aligned_size_t<16>(sizeof(int) * block), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = buffer[block - 1 - threadIdx.x];
}

int main() {
  int *in, *out, wrong = 0;
  const int n = block * batches;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i;
  const auto mirrored = [](int i) { return i / block * block + block - 1 - i % block; };
  staged<2><<<1, block>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong += out[i] != mirrored(i);
  staged<3><<<1, block>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong += out[i] != mirrored(i);
  alone<<<1, block>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4 * block; ++i) wrong += out[i] != (i < 2 * block ? i : mirrored(i));
  groups<<<1, block, block * sizeof(int4)>>>((const int4 *)in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < block; ++i)
    wrong += out[i] != 4 * (block - 1 - i) + 4 * (i / 32 * 32 + 31 - i % 32) + 3;
  withBarrier<<<1, block>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < block; ++i) wrong += out[i] != mirrored(i);
  byInstructions<<<1, block, block * sizeof(float4)>>>((const float4 *)in, (float4 *)out);
  cudaDeviceSynchronize();
  for (int i = 0; i < block; ++i)
    for (int k = 0; k < 4; ++k) wrong += out[4 * i + k] != 4 * (block - 1 - i) + k % 3;
  printf("%d wrong\n", wrong);
}
// prints: 0 wrong
