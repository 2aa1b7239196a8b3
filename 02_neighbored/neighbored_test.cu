#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"
#include "test_support/wrong_kernels.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(int* data, int* ranges, size_t n);
extern const BlockSumKernel solvedExercise;

TEST_STEPS(Neighbored, neighboredSteps());
TEST_EXERCISE(Neighbored, exerciseTask(exercise), exerciseTask(solvedExercise))

#ifndef GPU_BACKEND

// Nsight Compute on an H200, block of 512.
TEST(Neighbored, MakesTheRequestsThatTheProfilerCounts) {
  const Counters c = countersPerBlock(neighboredSteps(), "neighbored", 512);
  EXPECT_EQ(c.load_requests, 191u);
  EXPECT_EQ(c.load_sectors, 511u);
  EXPECT_EQ(c.store_requests, 96u);
  EXPECT_EQ(c.store_sectors, 256u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 101u);
}

TEST(Neighbored, MakesNoBankConflictsInSharedMemory) {
  EXPECT_EQ(countersPerBlock(neighboredSteps(), "neighbored, shared", 512).shared_load_conflicts,
            0u);
}

// Solved, but for the place of the barrier in the loop.
TEST(NeighboredExercise, IsRefusedWhereABarrierIsInsideABranch) {
  expectMissedBarrierRefused(exerciseTask(rangesWithABarrierInABranch));
}

#endif
