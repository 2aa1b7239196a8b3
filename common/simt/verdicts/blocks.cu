// Accesses by several blocks: a kernel has no barrier between them.
#include <cuda/atomic>

#include "sample.h"

__global__ void blocksAddWithoutAtomic(const int* in, int* total) {
  if (threadIdx.x == 0) *total += in[blockIdx.x];  // FAULT
}
SAMPLE(blocksAddWithoutAtomic, 4, 32, race, "one thread of each block, but several blocks")

__global__ void blocksAddByAtomic(const int* in, int* total) {
  if (threadIdx.x == 0) atomicAdd(total, in[blockIdx.x]);
}
SAMPLE(blocksAddByAtomic, 4, 32, correct, "blocks that meet only in an atomic")

__global__ void readsWhatAnotherBlockWrites(int* a, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = int(i);                                    // FAULT
  out[i] = a[(i + 64) % (gridDim.x * blockDim.x)];  // FAULT
}
SAMPLE(readsWhatAnotherBlockWrites, 4, 64, race, "the next block may not have run yet")

__global__ void barrierDoesNotReachOtherBlocks(int* a, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = int(i);  // FAULT
  __syncthreads();
  out[i] = a[gridDim.x * blockDim.x - 1 - i];  // FAULT
}
SAMPLE(barrierDoesNotReachOtherBlocks, 4, 64, race, "__syncthreads is for one block")

__global__ void fenceIsNoBarrier(int* a, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = int(i);  // FAULT
  __threadfence();
  out[i] = a[gridDim.x * blockDim.x - 1 - i];  // FAULT
}
SAMPLE(fenceIsNoBarrier, 4, 64, race, "a fence waits for nobody")

__global__ void stencilInPlace(int* a, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int left = i > 0 ? a[i - 1] : 0;       // FAULT
  const int right = i + 1 < n ? a[i + 1] : 0;  // FAULT
  __syncthreads();
  a[i] = left + right;  // FAULT
}
SAMPLE(stencilInPlace, 4, 64, race, "right within a block, wrong at its edges")

__global__ void stencilOutOfPlace(const int* in, int* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = (i > 0 ? in[i - 1] : 0) + (i + 1 < n ? in[i + 1] : 0);
}
SAMPLE(stencilOutOfPlace, 4, 64, correct, "what is read is written by nobody")

__global__ void blocksOverlapByOne(int* out) {
  for (unsigned i = threadIdx.x; i <= blockDim.x; i += blockDim.x)
    out[blockIdx.x * blockDim.x + i] = int(blockIdx.x);  // FAULT
}
SAMPLE(blocksOverlapByOne, 4, 32, race, "the last element belongs to the next block")

__global__ void gridStride(const int* in, int* out, int n) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += int(gridDim.x * blockDim.x))
    out[i] = in[i] * 2;
}
SAMPLE(gridStride, 3, 64, correct, "every element has one thread")

__global__ void differentValuesByBlocks(int* out) {
  out[threadIdx.x] = int(blockIdx.x);  // FAULT
}
SAMPLE(differentValuesByBlocks, 2, 32, race, "which block's value stays is open")

__global__ void workByTicket(int* next, int* out) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1);
  __syncthreads();
  out[unsigned(tile) * blockDim.x + threadIdx.x] = tile;
}
SAMPLE(workByTicket, 4, 64, correct, "blocks draw tiles of their own")

// ---- The block that is done last adds up what the others left

__global__ void lastBlock(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);
    __threadfence();
    isLast = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];
}
SAMPLE(lastBlock, 4, 32, correct, "a fence, then the atomic that counts the block")

__global__ void lastBlockWithoutFence(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);  // FAULT
    isLast = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(lastBlockWithoutFence, 4, 32, race, "counted before its sum can be seen")

__global__ void lastBlockByReleaseAndAcquire(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*done);
    isLast = count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];
}
SAMPLE(lastBlockByReleaseAndAcquire, 4, 32, correct, "one atomic that publishes and sees")

__global__ void lastBlockRelaxed(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);  // FAULT
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*done);
    isLast = count.fetch_add(1, cuda::memory_order_relaxed) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(lastBlockRelaxed, 4, 32, race, "a relaxed atomic orders nothing else")

__global__ void lastBlockWithoutAcquire(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);  // FAULT
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*done);
    isLast = count.fetch_add(1, cuda::memory_order_release) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(lastBlockWithoutAcquire, 4, 32, race, "published, but the reader does not acquire")

__global__ void lastBlockOfBlockScope(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);  // FAULT
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> count(*done);
    isLast = count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;  // FAULT
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(lastBlockOfBlockScope, 4, 32, race, "atomic for the threads of one block only")

__global__ void lastBlockWithBlockFence(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);  // FAULT
    __threadfence_block();
    isLast = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(lastBlockWithBlockFence, 4, 32, race, "a fence for the block is none for the device")

__global__ void lastBlockByPlainCounter(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = int(blockIdx.x);  // FAULT
    __threadfence();
    isLast = (*done)++ == gridDim.x - 1;  // FAULT
  }
  __syncthreads();
  if (isLast && threadIdx.x == 5)
    for (unsigned b = 0; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(lastBlockByPlainCounter, 4, 32, race, "two blocks may count themselves as one")

__global__ void lastBlockCountsFromAllThreads(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x);  // FAULT
  if (threadIdx.x == 0) {
    __threadfence();
    isLast = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast)
    for (unsigned b = 0; b < gridDim.x; ++b)
      atomicAdd(total, sums[b * blockDim.x + threadIdx.x]);  // FAULT
}
SAMPLE(lastBlockCountsFromAllThreads, 4, 64, race,
       "thread 0 counts the block before the other threads are done")

__global__ void lastBlockCountsAfterBarrier(int* sums, unsigned* done, int* total) {
  __shared__ bool isLast;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) isLast = atomicAdd(done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (isLast)
    for (unsigned b = 0; b < gridDim.x; ++b) atomicAdd(total, sums[b * blockDim.x + threadIdx.x]);
}
SAMPLE(lastBlockCountsAfterBarrier, 4, 64, correct, "all threads fence and meet before the count")

__global__ void sumsReadByOneBlockWithoutScheme(int* sums, int* total) {
  if (threadIdx.x == 0) sums[blockIdx.x] = int(blockIdx.x);  // FAULT
  if (blockIdx.x == 0 && threadIdx.x == 1)
    for (unsigned b = 1; b < gridDim.x; ++b) *total += sums[b];  // FAULT
}
SAMPLE(sumsReadByOneBlockWithoutScheme, 4, 32, race, "block 0 need not be the last")
