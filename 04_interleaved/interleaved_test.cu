#include "interleaved.cuh"

#include "exercise.cuh"
#include "goals.h"
#include "solution.cuh"
#include "test_support/exercise_testing.h"
#include "test_support/kernel_testing.h"

static const Step step{.lesson = "04", .name = "interleaved", .kernel = interleaved};
static const Step sharedStep{.lesson = "04", .name = "shared", .kernel = interleavedShared};

TEST(Interleaved, SumsAnyLength) {
  NEEDS_DEVICE();
  expectSumsAnyLength(step);
}

TEST(Interleaved, SumsAnyLengthInSharedMemory) {
  NEEDS_DEVICE();
  expectSumsAnyLength(sharedStep);
}

TEST(Interleaved, ExerciseAndSolutionAreRight) {
  NEEDS_DEVICE();
  expectExerciseRight(exerciseTask(exercise));
  expectExerciseRight(exerciseTask(solution));
}

#ifndef __CUDACC__

TEST(Interleaved, ExerciseLeavesWorkAndSolutionMeetsEveryGoal) {
  NEEDS_COUNTERS();
  expectWorkLeft(exerciseTask(exercise));
  expectAllMet(exerciseTask(solution));
}

TEST(Interleaved, SumsUnderAnySchedule) { expectSumsAnySchedule(step); }

TEST(Interleaved, SumsUnderAnyScheduleInSharedMemory) { expectSumsAnySchedule(sharedStep); }

TEST(Interleaved, SumsAMillionUnderAnySchedule) { expectMillionAnySchedule(step); }

TEST(Interleaved, SumsAMillionUnderAnyScheduleInSharedMemory) {
  expectMillionAnySchedule(sharedStep, 3);
}

// Nsight Compute on an H200, block of 512.
TEST(Interleaved, MakesTheRequestsThatTheProfilerCounts) {
  NEEDS_COUNTERS();
  const Counters c = countersPerBlock(step, 512);
  EXPECT_EQ(c.load_requests, 41u);
  EXPECT_EQ(c.load_sectors, 133u);
  EXPECT_EQ(c.store_requests, 21u);
  EXPECT_EQ(c.store_sectors, 67u);
  EXPECT_EQ(c.barriers, 9u);
  EXPECT_EQ(c.divergent_branches, 6u);
}

TEST(Interleaved, MakesNoBankConflictsInSharedMemory) {
  NEEDS_COUNTERS();
  EXPECT_EQ(countersPerBlock(sharedStep, 512).shared_load_conflicts, 0u);
}

#endif
