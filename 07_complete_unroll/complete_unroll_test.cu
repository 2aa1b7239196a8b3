#include "exercise_task.h"
#include "steps.h"
#include "test_support/exercise_testing.h"
#include "test_support/step_tests.h"

// In exercise.cuh and solution.cuh, which are compiled by themselves.
BlockSumKernel exerciseFor(unsigned block);
extern BlockSumKernel (*const solvedExercise)(unsigned block);

TEST_STEPS(CompleteUnroll, completeUnrollSteps());
TEST_EXERCISE(CompleteUnroll, exerciseTask(exerciseFor), exerciseTask(solvedExercise))

TEST(CompleteUnroll, HasAKernelForEachBlockSize) {
  for (const unsigned block : testBlocks) EXPECT_NE(completeUnrollFor(block), nullptr) << block;
  EXPECT_EQ(completeUnrollFor(500), nullptr);
}

#ifndef GPU_BACKEND

// In complete_unroll.cuh.
template <unsigned block>
__global__ void completeUnroll(int* data, int* blockSums, size_t n);

TEST(CompleteUnroll, KnowsTheBlockSizeWhenItIsCompiled) {
  EXPECT_EQ(completeUnrollFor(512), &completeUnroll<512>);
  EXPECT_EQ(completeUnrollFor(64), &completeUnroll<64>);
}

// The memory accesses of lesson 06 with its warp unrolling, one by one; its test derives them.
TEST(CompleteUnroll, AccessesMemoryAsLesson06Does) {
  for (const unsigned block : testBlocks) {
    const Counters c = countersPerBlock(ladderTo07(), "complete unroll", block);
    const Counters before = countersPerBlock(ladderTo07(), "unroll 8 + warp", block);
    EXPECT_EQ(c.load_requests, before.load_requests) << block;
    EXPECT_EQ(c.load_sectors, before.load_sectors) << block;
    EXPECT_EQ(c.store_requests, before.store_requests) << block;
    EXPECT_EQ(c.store_sectors, before.store_sectors) << block;
    EXPECT_EQ(c.barriers, before.barriers) << block;
  }
  const Counters c = countersPerBlock(ladderTo07(), "complete unroll", 512);
  EXPECT_EQ(c.load_requests, 169u);
  EXPECT_EQ(c.load_sectors, 676u);
  EXPECT_EQ(c.store_requests, 37u);
  EXPECT_EQ(c.store_sectors, 145u);
}

// The steps of a block size and no more: 512, 256, 128 and 64, and the one after the loads.
TEST(CompleteUnroll, DropsTheStepsThatDoNotApply) {
  EXPECT_EQ(countersPerBlock(ladderTo07(), "complete unroll", 1024).barriers, 5u);
  EXPECT_EQ(countersPerBlock(ladderTo07(), "complete unroll", 512).barriers, 4u);
  EXPECT_EQ(countersPerBlock(ladderTo07(), "complete unroll", 128).barriers, 2u);
  EXPECT_EQ(countersPerBlock(ladderTo07(), "complete unroll", 64).barriers, 1u);
  EXPECT_EQ(countersPerBlock(ladderTo07(), "complete unroll", 32).barriers, 1u);
}

#endif
