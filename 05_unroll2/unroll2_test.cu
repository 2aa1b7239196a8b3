#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(int* data, int* sums, size_t n);
extern const BlockSumKernel solvedExercise;
extern const unsigned exerciseElementsPerThread, solvedElementsPerThread;

TEST_STEPS(Unroll2, unroll2Steps());
TEST_EXERCISE(Unroll2, exerciseTask(exercise, exerciseElementsPerThread),
              exerciseTask(solvedExercise, solvedElementsPerThread))

#ifndef GPU_BACKEND

// Lesson 04's tree has 41 load requests, 133 sectors, 21 store requests, 67 sectors and 9 barriers
// in a block of 512. The addition before it: 16 warps load 2 × 32 elements in a row, 4 sectors
// each, and store 32; then one barrier.
TEST(Unroll2, AddsFullWarpsToTheTree) {
  const Counters c = countersPerBlock(unroll2Steps(), "unroll 2", 512);
  EXPECT_EQ(c.load_requests, 16 * 2 + 41u);
  EXPECT_EQ(c.load_sectors, 16 * 2 * 4 + 133u);
  EXPECT_EQ(c.store_requests, 16 + 21u);
  EXPECT_EQ(c.store_sectors, 16 * 4 + 67u);
  EXPECT_EQ(c.barriers, 1 + 9u);
}

#endif
