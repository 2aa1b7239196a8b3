#include "exercise.cuh"
#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"

// Apart from exercise.cuh, where a helper may have the same name.
namespace solved {
#include "solution.cuh"
}

TEST_STEPS(Interleaved, interleavedSteps());
TEST_EXERCISE(Interleaved, exerciseTask(exercise), exerciseTask(solved::solution))

#ifndef GPU_BACKEND

// Nsight Compute on an H200, block of 512.
TEST(Interleaved, MakesTheRequestsThatTheProfilerCounts) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(interleavedSteps(), "interleaved", 512);
  EXPECT_EQ(c.load_requests, 41u);
  EXPECT_EQ(c.load_sectors, 133u);
  EXPECT_EQ(c.store_requests, 21u);
  EXPECT_EQ(c.store_sectors, 67u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 6u);
}

TEST(Interleaved, MakesNoBankConflictsInSharedMemory) {
  NEEDS_COUNTERS();
  EXPECT_EQ(countersPerBlock(interleavedSteps(), "interleaved, shared", 512).shared_load_conflicts,
            0u);
}

// The solution, but for the place of the barrier in the loop.
__global__ void barrierInBranch(int* data, int* sums, size_t n) {
  __shared__ int block[1024];
  const unsigned t = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + t;
  block[t] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride >= 4; stride /= 2)
    if (t < stride) {
      block[t] += block[t + stride];
      __syncthreads();
    }
  if (t < 4) sums[4 * blockIdx.x + t] = block[t];
}

TEST(InterleavedExercise, IsRefusedWhereABarrierIsInsideABranch) {
  NEEDS_COUNTERS();
  expectMissedBarrierRefused(exerciseTask(barrierInBranch));
}

#endif
