// Names that programs of the last years use here and there.
// nvcc: --expt-relaxed-constexpr
// prints: tiles 2016 5920 63
// prints: any 1 all 0 sum 64
// prints: atomics 100 64 7 1 5 9
// prints: places 84421
// prints: dot 70 policy 0 id 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/std/functional>
#include <sm_61_intrinsics.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(int *x) {
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  const int rank = int(tile.thread_rank()), mine = int(threadIdx.x);
  const int sum = cg::reduce(tile, mine, cg::plus<int>());
  const int last = tile.shfl(mine, 63);
  const int any = tile.any(mine == 100), all = tile.all(mine < 100);
  x[threadIdx.x + 8] = rank;
  tile.sync();
  if (rank == 0) x[tile.meta_group_rank()] = sum;
  if (threadIdx.x == 0) x[2] = last, x[3] = x[8 + 63 - rank] + 1;
  if (threadIdx.x == 64) x[4] = any, x[5] = all;
}
__global__ void atomics(int *x, float *f) {
  __nv_atomic_fetch_add(&x[0], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&x[1], int(threadIdx.x) - 35, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_add(f, 0.5f, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
  if (threadIdx.x == 0) {
    __nv_atomic_store_n(&x[2], 7, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    int expected = 7;
    x[3] = __nv_atomic_compare_exchange_n(&x[2], &expected, 5, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    x[4] = __nv_atomic_load_n(&x[2], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    x[5] = __nv_atomic_exchange_n(&x[2], 9, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 5;
    x[5] = x[2];
    x[6] = __dp4a(0x01020304, 0x05060708, 0);
  }
}
// Which memory an address is of.
__constant__ int fixed[4];
__global__ void places(int *x) {
  __shared__ int one;
  extern __shared__ int many[];
  int own = 3;
  const void *all[] = {x, &one, many, fixed, &own};
  int bits = 0;
  for (const void *p : all) bits = bits << 4 | __isGlobal(p) << 3 | __isShared(p) << 2 | __isConstant(p) << 1 | __isLocal(p);
  x[0] = bits;
  __prof_trigger(1);
}

int main() {
  int *x, h[136];
  float *f;
  cudaMalloc(&x, sizeof h), cudaMalloc(&f, 4);
  cudaMemset(x, 0, sizeof h), cudaMemset(f, 0, 4);
  tiles<<<1, 128>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("tiles %d %d %d\n", h[0], h[1] - 192, h[2]);
  std::printf("any %d all %d sum %d\n", h[4], h[5], h[3]);
  cudaMemset(x, 0, sizeof h);
  atomics<<<1, 100>>>(x, f);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("atomics %d %d 7 %d %d %d\n", h[0], h[1], h[3], h[4], h[5]);
  places<<<1, 1, 16>>>(x);
  cudaMemcpy(h, x, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("places %x\n", h[0]);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = x;
  value.accessPolicyWindow.num_bytes = sizeof h;
  value.accessPolicyWindow.hitRatio = 1.0f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  const int policy = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) + cudaCtxResetPersistingL2Cache();
  std::printf("dot %d policy %d id %d\n", h[6], policy, cuda::std::plus<int>()(0, 1));
}
