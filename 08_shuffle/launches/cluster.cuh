// Lesson 08, further, for Hopper and later: blocks that reach each other's shared memory.
#pragma once

#include <cooperative_groups.h>

#include <utility>

#include "../block_sum.cuh"
#include "../vectors.cuh"

constexpr unsigned clusterBlocks = 8;  // as many as every GPU with clusters allows

// Changed since atomicPerBlock: eight blocks are a cluster. They run at the same time on
// neighbouring multiprocessors, and each can reach the others' shared memory (distributed shared
// memory). All leave their sums in that of the first, which makes one atomicAdd for the eight.
// Before the first access that block must have begun, and after the last none may have ended: a
// barrier of the cluster for each. To arrive at the first takes no time; nobody waits until the
// loads are done.
//
// Look at: atomics, one for eight blocks.
template <unsigned rounds, unsigned loads>
__global__ void __launch_bounds__(1024, 2)
    atomicPerCluster(const int* data, size_t n, unsigned long long* total,
                     unsigned long long* nextTotal) {
#if __CUDA_ARCH__ >= 900
  __shared__ long long sums[clusterBlocks];
  const auto cluster = cooperative_groups::this_cluster();
  auto begun = cluster.barrier_arrive();
  const long long sum = blockSum(tileSum<rounds, loads, long long>(Vectors<int>(data, n)));
  cluster.barrier_wait(std::move(begun));
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sums[cluster.block_rank()], 0) = sum;
  cluster.sync();

  if (threadIdx.x > 0 || cluster.block_rank() > 0) return;
  long long ofAll = 0;
  for (unsigned block = 0; block < clusterBlocks; ++block) ofAll += sums[block];
  atomicAdd(total, ofAll);
  if (blockIdx.x == 0) *nextTotal = 0;
#endif
}
