#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"
#include "test_support/wrong_kernels.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(int* data, int* sums, size_t n);
extern const BlockSumKernel solvedExercise;

TEST_STEPS(Interleaved, interleavedSteps());
TEST_EXERCISE(Interleaved, exerciseTask(exercise), exerciseTask(solvedExercise))

#ifndef GPU_BACKEND

// Nsight Compute on an H200, block of 512.
TEST(Interleaved, MakesTheRequestsThatTheProfilerCounts) {
  const Counters c = countersPerBlock(interleavedSteps(), "interleaved", 512);
  EXPECT_EQ(c.load_requests, 41u);
  EXPECT_EQ(c.load_sectors, 133u);
  EXPECT_EQ(c.store_requests, 21u);
  EXPECT_EQ(c.store_sectors, 67u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 6u);
}

TEST(Interleaved, MakesNoBankConflictsInSharedMemory) {
  EXPECT_EQ(countersPerBlock(interleavedSteps(), "interleaved, shared", 512).shared_load_conflicts,
            0u);
}

// Solved, but for the place of the barrier in the loop.
TEST(InterleavedExercise, IsRefusedWhereABarrierIsInsideABranch) {
  expectMissedBarrierRefused(exerciseTask(fourSumsWithABarrierInABranch));
}

#endif
