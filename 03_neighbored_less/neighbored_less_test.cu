#include "exercise.cuh"
#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"

// Apart from exercise.cuh, where a helper may have the same name.
namespace solved {
#include "solution.cuh"
}

TEST_STEPS(NeighboredLess, neighboredLessSteps());
TEST_EXERCISE(NeighboredLess, exerciseTask(exercise), exerciseTask(solved::solution))

#ifndef GPU_BACKEND

// Nsight Compute on an H200, block of 512.
TEST(NeighboredLess, MakesTheRequestsThatTheProfilerCounts) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(neighboredLessSteps(), "neighbored less", 512);
  EXPECT_EQ(c.load_requests, 41u);
  EXPECT_EQ(c.load_sectors, 511u);
  EXPECT_EQ(c.store_requests, 21u);
  EXPECT_EQ(c.store_sectors, 256u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 6u);
}

TEST(NeighboredLess, MakesBankConflictsInSharedMemory) {
  NEEDS_COUNTERS();
  EXPECT_EQ(
      countersPerBlock(neighboredLessSteps(), "neighbored less, shared", 512).shared_load_conflicts,
      150u);
}

#endif
