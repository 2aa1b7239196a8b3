#include "complete_unroll.cuh"

#include "exercise.cuh"
#include "goals.h"
#include "solution.cuh"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

static const Step step{.lesson = "07",
                       .name = "complete unroll",
                       .kernelFor = completeUnrollFor,
                       .elementsPerThread = 8};

TEST(CompleteUnroll, SumsAnyLength) {
  NEEDS_DEVICE();
  expectSumsAnyLength(step);
}

TEST(CompleteUnroll, SumsLengthsAroundWholeBlocks) {
  NEEDS_DEVICE();
  for (const size_t n : {2 * 512 - 1, 2 * 512 + 1, 7 * 512 - 1, 7 * 512 + 1, 8 * 512 - 1, 8 * 512,
                         8 * 512 + 1, 9 * 512, (1 << 20) + 7}) {
    const Input input = makeInput(n, 7);
    for (const unsigned block : testBlocks)
      EXPECT_EQ(totalOf(step, input, block), input.sum) << "n " << n << ", block " << block;
  }
}

TEST(CompleteUnroll, HasAKernelForEachBlockSize) {
  for (const unsigned block : testBlocks) EXPECT_NE(completeUnrollFor(block), nullptr) << block;
  EXPECT_EQ(completeUnrollFor(512), &completeUnroll<512>);
  EXPECT_EQ(completeUnrollFor(500), nullptr);
}

TEST(CompleteUnroll, ExerciseAndSolutionAreRight) {
  NEEDS_DEVICE();
  expectExerciseRight(exerciseTask(exerciseFor));
  expectExerciseRight(exerciseTask(solutionFor));
}

#ifndef __CUDACC__

TEST(CompleteUnroll, ExerciseLeavesWorkAndSolutionMeetsEveryGoal) {
  NEEDS_COUNTERS();
  expectWorkLeft(exerciseTask(exerciseFor));
  expectAllMet(exerciseTask(solutionFor));
}

TEST(CompleteUnroll, SumsUnderAnySchedule) { expectSumsAnySchedule(step); }

// The memory accesses of lesson 06 with its warp unrolling, one by one; its test derives them.
TEST(CompleteUnroll, AccessesMemoryAsLesson06Does) {
  NEEDS_COUNTERS();
  const Step lesson06{
      .lesson = "06", .name = "unroll 8 + warp", .kernel = unroll8Warp, .elementsPerThread = 8};
  for (const unsigned block : testBlocks) {
    const Counters c = countersPerBlock(step, block);
    const Counters before = countersPerBlock(lesson06, block);
    EXPECT_EQ(c.load_requests, before.load_requests) << block;
    EXPECT_EQ(c.load_sectors, before.load_sectors) << block;
    EXPECT_EQ(c.store_requests, before.store_requests) << block;
    EXPECT_EQ(c.store_sectors, before.store_sectors) << block;
    EXPECT_EQ(c.barriers, before.barriers) << block;
  }
  const Counters c = countersPerBlock(step, 512);
  EXPECT_EQ(c.load_requests, 169u);
  EXPECT_EQ(c.load_sectors, 676u);
  EXPECT_EQ(c.store_requests, 37u);
  EXPECT_EQ(c.store_sectors, 145u);
}

// The steps of a block size and no more: 512, 256, 128 and 64, and the one after the loads.
TEST(CompleteUnroll, DropsTheStepsThatDoNotApply) {
  NEEDS_COUNTERS();
  EXPECT_EQ(countersPerBlock(step, 1024).barriers, 5u);
  EXPECT_EQ(countersPerBlock(step, 512).barriers, 4u);
  EXPECT_EQ(countersPerBlock(step, 128).barriers, 2u);
  EXPECT_EQ(countersPerBlock(step, 64).barriers, 1u);
  EXPECT_EQ(countersPerBlock(step, 32).barriers, 1u);
}

#endif
