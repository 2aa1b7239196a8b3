// What --exercise says of the time of kernels: recorded on a card, or estimated.
#include <gtest/gtest.h>

#include "cuda/launch.h"
#include "estimate/sampled.h"
#include "exercise/exercise_run.h"
#include "exercise/recorded_times_kernels.cuh"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

namespace {

Exercise<int> rangeOfBlocks(BlockSumKernel kernel) {
  const auto ranges = [](const std::vector<int>& data, Extent s) {
    return forEachPart(data, s.block, [](std::span<const int> block) {
      return std::ranges::max(block) - std::ranges::min(block);
    });
  };
  return {.program = "02_neighbored",
          .task = "the range of every block",
          .call = callOf(kernel),
          .reference = ranges,
          .goals = {},
          .start = callOf(asItCame::exercise),
          .solution = callOf(solved::solution)};
}

std::string estimatesOf(const Exercise<int>& exercise, const Options& options = {}) {
  testing::internal::CaptureStdout();
  printExerciseEstimates(ExerciseRun<int>{options, exercise, "lesson's", exercise.call});
  return testing::internal::GetCapturedStdout();
}

// What is printed by its grade alone.
std::string gradeOf(const Exercise<int>& exercise) {
  Options options;
  options.estimate = false;
  testing::internal::CaptureStdout();
  exerciseMode(exercise, "lesson's", exercise.call).run(options);
  return testing::internal::GetCapturedStdout();
}

#define EXPECT_CONTAINS(text, part) EXPECT_TRUE(contains(text, part)) << text

}  // namespace

TEST(TimesOfExercises, ShowsWhatTheCardTookAndNoEstimateBesideIt) {
  NEEDS_GPU_CODE();
  for (const auto& [kernel, ms] :
       {std::pair<BlockSumKernel, std::string>{asItCame::exercise, "0.8038"},
        {solved::solution, "0.8852"}}) {
    const std::string out = estimatesOf(rangeOfBlocks(kernel));
    EXPECT_CONTAINS(out, "recorded is what was measured (h200_exercise_02.json)");
    EXPECT_CONTAINS(out, "\nexercise.cuh as it came       0.8038             –\n");
    EXPECT_CONTAINS(out, "\nsolution.cuh                  0.8852             –\n");
    EXPECT_CONTAINS(out, "\nexercise.cuh now              " + ms + "             –\n");
    EXPECT_FALSE(contains(out, "No estimate"));
  }
}

// 0.8 ms on the card: whoever says 3.9 of the same kernel has nothing to say of its like.
TEST(TimesOfExercises, QuotesNoErrorOfAnotherKernelAndNoEstimateThatTheCardContradicts) {
  NEEDS_GPU_CODE();
  Options longer;
  longer.n = 1 << 20;
  for (const Options& options : {Options{}, longer}) {
    const std::string out = estimatesOf(rangeOfBlocks(rangeByWarps), options);
    EXPECT_FALSE(contains(out, "wrong by")) << out;
    EXPECT_FALSE(contains(out, "÷ recorded")) << out;
    const bool doubted(contains(out, "No estimate of exercise.cuh now: of "));
    const bool none(contains(out, "\nexercise.cuh now                   –             –\n"));
    EXPECT_EQ(doubted, none || !contains(out, "estimated ms")) << out;
  }
}

TEST(TimesOfExercises, TellsWhoFoundABetterWayThanTheSolution) {
  EXPECT_CONTAINS(gradeOf(rangeOfBlocks(rangeByWarps)), "A better way than solution.cuh");
  EXPECT_FALSE(contains(gradeOf(rangeOfBlocks(solved::solution)), "A better way"));
}
