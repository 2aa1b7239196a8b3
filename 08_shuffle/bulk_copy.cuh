// Lesson 08, one step further, for Hopper and later: copies that no thread waits for. On an older
// GPU the kernel does nothing; bulkCopyWorks() in bulk_copy.h tells.
#pragma once

#include <cuda/ptx>

#include "shuffle.cuh"

constexpr unsigned bulkStages = 3;
constexpr unsigned bulkVectors = 2048;  // int4 per stage: 32 KiB
constexpr unsigned bulkSharedBytes = bulkStages * bulkVectors * sizeof(int4);

// Changed since atomicPerBlock: one thread asks for 32 KiB at a time, and a copy engine moves them
// into shared memory. No register is tied to a load in flight, so a block can have three such
// copies under way while its threads add up what came before. (The copy needs both ends aligned to
// 16 bytes, and so does its size.)
//
// A stage's mbarrier completes a phase when all bytes it was told to expect have arrived. Phases
// alternate between parity 0 and 1, so waiting for a parity is waiting for one's own phase.
__global__ void __launch_bounds__(512, 2)
    bulkCopy(const int* data, size_t n, unsigned long long* total, unsigned long long* nextTotal) {
#if __CUDA_ARCH__ >= 900
  namespace ptx = cuda::ptx;
  extern __shared__ int4 buffer[];  // bulkStages × bulkVectors
  __shared__ uint64_t arrived[bulkStages];
  const Vectors<int> vectors(data, n);
  const size_t tiles = (vectors.count + bulkVectors - 1) / bulkVectors;
  const auto tileSize = [&](size_t tile) {
    return unsigned(min(size_t(bulkVectors), vectors.count - tile * bulkVectors));
  };
  const auto fetch = [&](size_t tile, unsigned stage) {
    const unsigned bytes = tileSize(tile) * sizeof(int4);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                   &arrived[stage], bytes);
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, buffer + stage * bulkVectors,
                       vectors.first + tile * bulkVectors, bytes, &arrived[stage]);
  };

  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < bulkStages; ++s) ptx::mbarrier_init(&arrived[s], 1);
    ptx::fence_proxy_async(ptx::space_shared);  // the copy engine must see them, too
    size_t tile = blockIdx.x;
    for (unsigned s = 0; s < bulkStages && tile < tiles; ++s, tile += gridDim.x) fetch(tile, s);
  }
  __syncthreads();

  long long sum = vectors.leftOver(0);
  unsigned stage = 0, parity = 0;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    while (!ptx::mbarrier_try_wait_parity(&arrived[stage], parity)) {
    }
    const unsigned count = tileSize(tile);
#pragma unroll
    for (unsigned k = 0; k < bulkVectors; k += 512) {
      if (k + threadIdx.x >= count) continue;
      const int4 v = buffer[stage * bulkVectors + k + threadIdx.x];
      sum += (0ll + v.x + v.y) + (0ll + v.z + v.w);
    }
    __syncthreads();  // everyone has read the stage, so it can be filled again
    const size_t next = tile + size_t(bulkStages) * gridDim.x;
    if (threadIdx.x == 0 && next < tiles) fetch(next, stage);
    if (++stage == bulkStages) {
      stage = 0;
      parity ^= 1;
    }
  }
  sum = blockSum(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum);
  if (threadIdx.x == 0 && blockIdx.x == 0) *nextTotal = 0;
#endif
}
