#include "neighbored.cuh"

#include "exercise.cuh"
#include "goals.h"
#include "solution.cuh"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

static const Step step{.lesson = "02", .name = "neighbored", .kernel = neighbored};
static const Step sharedStep{.lesson = "02", .name = "shared", .kernel = neighboredShared};

TEST(Neighbored, SumsAnyLength) {
  NEEDS_DEVICE();
  expectSumsAnyLength(step);
}

TEST(Neighbored, SumsAnyLengthInSharedMemory) {
  NEEDS_DEVICE();
  expectSumsAnyLength(sharedStep);
}

TEST(Neighbored, ExerciseAndSolutionAreRight) {
  NEEDS_DEVICE();
  expectExerciseRight(exerciseTask(exercise));
  expectExerciseRight(exerciseTask(solution));
}

#ifndef __CUDACC__

TEST(Neighbored, ExerciseLeavesWorkAndSolutionMeetsEveryGoal) {
  NEEDS_COUNTERS();
  expectWorkLeft(exerciseTask(exercise));
  expectAllMet(exerciseTask(solution));
}

TEST(Neighbored, SumsUnderAnySchedule) { expectSumsAnySchedule(step); }

TEST(Neighbored, SumsUnderAnyScheduleInSharedMemory) { expectSumsAnySchedule(sharedStep); }

TEST(Neighbored, SumsAMillionUnderAnySchedule) { expectMillionAnySchedule(step); }

TEST(Neighbored, SumsAMillionUnderAnyScheduleInSharedMemory) {
  expectMillionAnySchedule(sharedStep, 3);
}

// Nsight Compute on an H200, block of 512.
TEST(Neighbored, MakesTheRequestsThatTheProfilerCounts) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(step, 512);
  EXPECT_EQ(c.load_requests, 191u);
  EXPECT_EQ(c.load_sectors, 511u);
  EXPECT_EQ(c.store_requests, 96u);
  EXPECT_EQ(c.store_sectors, 256u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 101u);
}

TEST(Neighbored, MakesNoBankConflictsInSharedMemory) {
  NEEDS_COUNTERS();
  EXPECT_EQ(countersPerBlock(sharedStep, 512).shared_load_conflicts, 0u);
}

#endif
