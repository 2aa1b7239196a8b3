// Lesson 08, one step further, for Hopper and later: copies that no thread waits for.
#pragma once

#include <cuda/ptx>

#include "block_sum.cuh"
#include "vectors.cuh"

constexpr unsigned bulkPieces = 3;
constexpr unsigned bulkVectors = 2048;  // int4 per piece: 32 KiB
constexpr unsigned bulkSharedBytes = bulkPieces * bulkVectors * sizeof(int4);

// Changed since atomicPerBlock: one thread asks for the block's 96 KiB in three pieces, and the
// Tensor Memory Accelerator (TMA), of which each multiprocessor has one, moves them into shared
// memory, where the block's 512 threads add up one piece while the next arrives. No register is
// tied to a load in flight. Both ends of such a copy, and its size, are multiples of 16 bytes. A
// piece's mbarrier lets the threads pass when all of its bytes are there.
//
// To the copy a block that is in no cluster is one by itself: its shared memory is space_cluster.
// The instructions are as old as Hopper; their names here, cuda::ptx, are those of CUDA 12.5 and
// later. Before, or on a GPU before compute capability 9.0, the kernel does nothing:
// bulkCopyWorks() tells.
__global__ void __launch_bounds__(512, 2)
    bulkCopy(const int* data, size_t n, unsigned long long* total, unsigned long long* nextTotal) {
#if __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12050
  namespace ptx = cuda::ptx;
  extern __shared__ int4 pieces[];  // bulkPieces × bulkVectors
  __shared__ uint64_t arrived[bulkPieces];
  const Vectors<int> vectors(data, n);
  const size_t first = size_t(blockIdx.x) * bulkPieces * bulkVectors;
  const size_t count = first < vectors.count ? vectors.count - first : 0;  // from first on

  if (threadIdx.x == 0) {
    for (unsigned p = 0; p < bulkPieces; ++p) ptx::mbarrier_init(&arrived[p], 1);
    ptx::fence_proxy_async(ptx::space_shared);  // the TMA must see them, too
    for (unsigned p = 0; p < bulkPieces && p * bulkVectors < count; ++p) {
      const size_t most = bulkVectors;
      const unsigned bytes = unsigned(min(count - p * bulkVectors, most)) * sizeof(int4);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                     &arrived[p], bytes);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, pieces + p * bulkVectors,
                         vectors.first + first + p * bulkVectors, bytes, &arrived[p]);
    }
  }
  __syncthreads();

  long long sum = 0ll + vectors.leftBefore(0) + vectors.leftAfter(0);
  for (unsigned p = 0; p < bulkPieces && p * bulkVectors < count; ++p) {
    while (!ptx::mbarrier_try_wait_parity(&arrived[p], 0)) {
    }
#pragma unroll
    for (unsigned k = 0; k < bulkVectors; k += 512) {
      const unsigned i = p * bulkVectors + k + threadIdx.x;
      if (i < count) sum += (0ll + pieces[i].x + pieces[i].y) + (0ll + pieces[i].z + pieces[i].w);
    }
  }
  sum = blockSum(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum);
  if (threadIdx.x == 0 && blockIdx.x == 0) *nextTotal = 0;
#endif
}
