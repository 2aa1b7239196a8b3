#include "neighbored_less.cuh"

#include "exercise.cuh"
#include "goals.h"
#include "solution.cuh"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

static const Step step{.lesson = "03", .name = "neighbored less", .kernel = neighboredLess};
static const Step sharedStep{.lesson = "03", .name = "shared", .kernel = neighboredLessShared};

TEST(NeighboredLess, SumsAnyLength) {
  NEEDS_DEVICE();
  expectSumsAnyLength(step);
}

TEST(NeighboredLess, SumsAnyLengthInSharedMemory) {
  NEEDS_DEVICE();
  expectSumsAnyLength(sharedStep);
}

TEST(NeighboredLess, ExerciseAndSolutionAreRight) {
  NEEDS_DEVICE();
  expectExerciseRight(exerciseTask(exercise));
  expectExerciseRight(exerciseTask(solution));
}

#ifndef __CUDACC__

TEST(NeighboredLess, ExerciseLeavesWorkAndSolutionMeetsEveryGoal) {
  NEEDS_COUNTERS();
  expectWorkLeft(exerciseTask(exercise));
  expectAllMet(exerciseTask(solution));
}

TEST(NeighboredLess, SumsUnderAnySchedule) { expectSumsAnySchedule(step); }

TEST(NeighboredLess, SumsUnderAnyScheduleInSharedMemory) { expectSumsAnySchedule(sharedStep); }

TEST(NeighboredLess, SumsAMillionUnderAnySchedule) { expectMillionAnySchedule(step); }

TEST(NeighboredLess, SumsAMillionUnderAnyScheduleInSharedMemory) {
  expectMillionAnySchedule(sharedStep, 3);
}

// Nsight Compute on an H200, block of 512.
TEST(NeighboredLess, MakesTheRequestsThatTheProfilerCounts) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(step, 512);
  EXPECT_EQ(c.load_requests, 41u);
  EXPECT_EQ(c.load_sectors, 511u);
  EXPECT_EQ(c.store_requests, 21u);
  EXPECT_EQ(c.store_sectors, 256u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 6u);
}

TEST(NeighboredLess, MakesBankConflictsInSharedMemory) {
  NEEDS_COUNTERS();
  EXPECT_EQ(countersPerBlock(sharedStep, 512).shared_load_conflicts, 150u);
}

#endif
