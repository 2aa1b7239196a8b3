#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
__global__ void exercise(int* data, int* maxima, size_t n);
extern const BlockSumKernel solvedExercise;
extern const unsigned exerciseElementsPerThread, solvedElementsPerThread;

TEST_STEPS(Unroll8, unroll8Steps());
TEST_EXERCISE(Unroll8, exerciseTask(exercise, exerciseElementsPerThread),
              exerciseTask(solvedExercise, solvedElementsPerThread))

#ifndef GPU_BACKEND

// Lesson 04's tree has 41 load requests, 133 sectors, 21 store requests, 67 sectors and 9 barriers
// in a block of 512. The addition before it: 16 warps load 8 × 32 elements in a row, 4 sectors
// each, and store 32; then one barrier.
TEST(Unroll8, LoadsEightElementsForOneStore) {
  const Counters c = countersPerBlock(unroll8Steps(), "unroll 8", 512);
  EXPECT_EQ(c.load_requests, 16 * 8 + 41u);
  EXPECT_EQ(c.load_sectors, 16 * 8 * 4 + 133u);
  EXPECT_EQ(c.store_requests, 16 + 21u);
  EXPECT_EQ(c.store_sectors, 16 * 4 + 67u);
  EXPECT_EQ(c.barriers, 1 + 9u);
}

// The same requests. Strides 256, 128 and 64: 8 + 4 + 2 warps, 2 loads and 1 store each, 4 sectors
// per request. The last six steps: 2 loads and 1 store by 32 lanes. Their own elements are 4
// sectors; those at distance 32, 16 and 8 are 4 sectors too, at 4, 2 and 1 they lie across 5.
// At the end one lane loads one element and stores the block's sum.
TEST(Unroll8Warp, MakesTheSameRequestsWithAllLanesAtWork) {
  const Counters c = countersPerBlock(unroll8Steps(), "unroll 8 + warp", 512);
  EXPECT_EQ(c.load_requests, 16 * 8 + 14 * 2 + 6 * 2 + 1u);
  EXPECT_EQ(c.load_sectors, (16 * 8 + 14 * 2) * 4 + (6 * 4 + 3 * 4 + 3 * 5) + 1u);
  EXPECT_EQ(c.store_requests, 16 + 14 + 6 + 1u);
  EXPECT_EQ(c.store_sectors, (16 + 14 + 6) * 4 + 1u);
}

// One after the loads, and one for each stride down to 64; no others, whatever the block size.
TEST(Unroll8Warp, NeedsFewerBarriers) {
  EXPECT_EQ(countersPerBlock(unroll8Steps(), "unroll 8", 512).barriers, 10u);
  EXPECT_EQ(countersPerBlock(unroll8Steps(), "unroll 8 + warp", 512).barriers, 4u);
  EXPECT_EQ(countersPerBlock(unroll8Steps(), "unroll 8 + warp", 64).barriers, 1u);
  EXPECT_EQ(countersPerBlock(unroll8Steps(), "unroll 8 + warp", 32).barriers, 1u);
}

// Strides 16, 8, 4, 2 and 1 split the first warp in lesson 04's tree, and no longer do. What is
// left is the one thread that writes the block's sum.
TEST(Unroll8Warp, DoesNotDivergeInTheTree) {
  EXPECT_EQ(countersPerBlock(unroll8Steps(), "unroll 8", 512).divergent_branches, 5 + 1u);
  EXPECT_EQ(countersPerBlock(unroll8Steps(), "unroll 8 + warp", 512).divergent_branches, 1u);
}

#endif
