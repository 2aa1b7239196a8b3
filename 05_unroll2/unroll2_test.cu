#include "unroll2.cuh"

#include "exercise.cuh"
#include "goals.h"
#include "solution.cuh"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

static const Step step{
    .lesson = "05", .name = "unroll 2", .kernel = unroll2, .elementsPerThread = 2};

TEST(Unroll2, SumsAnyLength) {
  NEEDS_DEVICE();
  expectSumsAnyLength(step);
}

// Where a grid of n / 2 threads would drop the tail.
TEST(Unroll2, SumsLengthsAroundWholeBlocks) {
  NEEDS_DEVICE();
  for (const size_t n :
       {2 * 512 - 1, 2 * 512, 2 * 512 + 1, 3 * 512, 8 * 512 - 1, 8 * 512 + 1, (1 << 20) + 7}) {
    const Input input = makeInput(n, 7);
    for (const unsigned block : {64u, 512u, 1024u})
      EXPECT_EQ(totalOf(step, input, block), input.sum) << "n " << n << ", block " << block;
  }
}

TEST(Unroll2, ExerciseAndSolutionAreRight) {
  NEEDS_DEVICE();
  expectExerciseRight(exerciseTask(exercise, exerciseElementsPerThread));
  expectExerciseRight(exerciseTask(solution, solutionElementsPerThread));
}

#ifndef __CUDACC__

TEST(Unroll2, ExerciseLeavesWorkAndSolutionMeetsEveryGoal) {
  NEEDS_COUNTERS();
  expectWorkLeft(exerciseTask(exercise, exerciseElementsPerThread));
  expectAllMet(exerciseTask(solution, solutionElementsPerThread));
}

TEST(Unroll2, SumsUnderAnySchedule) { expectSumsAnySchedule(step); }

// Lesson 04's tree has 41 load requests, 133 sectors, 21 store requests, 67 sectors and 9 barriers
// in a block of 512. The addition before it: 16 warps load 2 × 32 elements in a row, 4 sectors
// each, and store 32; then one barrier.
TEST(Unroll2, AddsFullWarpsToTheTree) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(step, 512);
  EXPECT_EQ(c.load_requests, 16 * 2 + 41u);
  EXPECT_EQ(c.load_sectors, 16 * 2 * 4 + 133u);
  EXPECT_EQ(c.store_requests, 16 + 21u);
  EXPECT_EQ(c.store_sectors, 16 * 4 + 67u);
  EXPECT_EQ(c.barriers, 1 + 9u);
}

#endif
