#include "exercise.cuh"
#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"

// Apart from exercise.cuh, where a helper may have the same name.
namespace solved {
#include "solution.cuh"
}

TEST_STEPS(Neighbored, neighboredSteps());
TEST_EXERCISE(Neighbored, exerciseTask(exercise), exerciseTask(solved::solution))

#ifndef GPU_BACKEND

// Nsight Compute on an H200, block of 512.
TEST(Neighbored, MakesTheRequestsThatTheProfilerCounts) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(neighboredSteps(), "neighbored", 512);
  EXPECT_EQ(c.load_requests, 191u);
  EXPECT_EQ(c.load_sectors, 511u);
  EXPECT_EQ(c.store_requests, 96u);
  EXPECT_EQ(c.store_sectors, 256u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 101u);
}

TEST(Neighbored, MakesNoBankConflictsInSharedMemory) {
  NEEDS_COUNTERS();
  EXPECT_EQ(countersPerBlock(neighboredSteps(), "neighbored, shared", 512).shared_load_conflicts,
            0u);
}

// The solution, but for the place of the barrier in the loop.
__global__ void barrierInBranch(int* data, int* ranges, size_t n) {
  __shared__ int largest[1024];
  __shared__ int smallest[1024];
  const unsigned t = threadIdx.x;
  largest[t] = smallest[t] = data[min(size_t(blockIdx.x) * blockDim.x + t, n - 1)];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2)
    if (t % (2 * stride) == 0) {
      largest[t] = max(largest[t], largest[t + stride]);
      smallest[t] = min(smallest[t], smallest[t + stride]);
      __syncthreads();
    }
  if (t == 0) ranges[blockIdx.x] = largest[0] - smallest[0];
}

TEST(NeighboredExercise, IsRefusedWhereABarrierIsInsideABranch) {
  NEEDS_COUNTERS();
  expectMissedBarrierRefused(exerciseTask(barrierInBranch));
}

#endif
