// The tests' own tools, tried where what they look at is wrong: a check that never fails checks
// nothing.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "test_support/exercise_testing.h"
#include "test_support/program_testing.h"

namespace {

// How many failures the body reports. They do not count as failures of this test.
int failuresOf(const std::function<void()>& body) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    body();
  }
  int failures = 0;
  for (int i = 0; i < results.size(); ++i) failures += results.GetTestPartResult(i).failed();
  return failures;
}

// Adds up a block by one thread: wrong from so many elements on, or where another thread is first.
__device__ void addUp(int* data, int* blockSums, size_t n, size_t wrongFrom) {
  const size_t first = size_t(blockIdx.x) * blockDim.x;
  int sum = n >= wrongFrom ? 1 : 0;
  for (size_t i = first; i < min(n, first + blockDim.x); ++i) sum += data[i];
  blockSums[blockIdx.x] = sum;
}
__global__ void right(int* data, int* blockSums, size_t n) {
  __syncthreads();
  if (threadIdx.x == 0) addUp(data, blockSums, n, SIZE_MAX);
}
__global__ void wrongWhereLong(int* data, int* blockSums, size_t n) {
  if (threadIdx.x == 0) addUp(data, blockSums, n, 2000);
}
__global__ void wrongInAnotherOrder(int* data, int* blockSums, size_t n) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  if (atomicAdd(&arrived, 1) == 0) addUp(data, blockSums, n, threadIdx.x > 0 ? 0 : SIZE_MAX);
}

Step step(BlockSumKernel kernel) { return {.lesson = "", .name = "step", .kernel = kernel}; }

Exercise<int> exercise(BlockSumKernel kernel, double barriers = 0) {
  const auto sum = [](std::span<const int> block) {
    return std::accumulate(block.begin(), block.end(), 0);
  };
  return {.program = "test",
          .task = "the sum of every block",
          .call = callOf(kernel),
          .reference = [sum](const std::vector<int>& data,
                             Extent s) { return forEachPart(data, s.block, sum); },
          .goals = {perBlock("barriers", &Counters::barriers, atMost(barriers))}};
}

}  // namespace

TEST(Contains, IsTrueOfAPartAndOfNothingElse) {
  EXPECT_TRUE(contains("a sum", "sum"));
  EXPECT_FALSE(contains("a sum", "sums"));
  EXPECT_FALSE(contains("", "sum"));
}

TEST(RefusalOf, IsTheLineOfAUsageError) {
  EXPECT_EQ(refusalOf([] { throw Error(exitUsage, "no"); }), "no");
  EXPECT_EQ(refusalOf([] {}), "");
  EXPECT_EQ(failuresOf([] { refusalOf([] { throw Error(exitWrong, "no"); }); }), 1);
}

TEST(RunOfAProgram, HasItsExitCodeOrItsSignalAndBothStreams) {
  const Outcome outcome = run("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err, "err\n");
  EXPECT_EQ(run("/bin/sh", {"-c", "kill -TERM $$"}).signal, SIGTERM);
  EXPECT_EQ(run("/no/such/program", {}).exitCode, 127);
}

TEST(StepTests, AcceptARightKernel) {
  expectSumsUnderSchedules(step(right), {0, 33, 513}, 0, 2, {64});
}

TEST(StepTests, NoticeAKernelThatIsWrongWhereTheInputIsLong) {
  EXPECT_EQ(failuresOf([] { expectSumsAnyLength(step(wrongWhereLong)); }),
            int(std::ranges::count_if(testLengths, [](size_t n) { return n >= 4095; }) *
                std::ssize(testBlocks)));
  EXPECT_GT(failuresOf([] { expectSumsAnySchedule(step(wrongWhereLong)); }), 0);
}

TEST(StepTests, NoticeAKernelThatIsWrongUnderAnotherSchedule) {
  EXPECT_EQ(failuresOf([] { expectSumsUnderSchedules(step(wrongInAnotherOrder), {33}, 0, 0); }),
            int(testBlocks.size()));
  EXPECT_GT(failuresOf([] { expectSumsUnderSchedules(step(wrongInAnotherOrder), {33}, 1, 3); }), 0);
}

TEST(StepTests, CountOneBlock) {
  EXPECT_EQ(countersPerBlock(step(right), 64).barriers, 1u);
  EXPECT_EQ(countersPerBlock(step(right), 64).load_requests, 64u);
}

TEST(ExerciseTests, TellAWrongKernelFromARightOne) {
  EXPECT_EQ(failuresOf([] { expectExerciseRight(exercise(wrongWhereLong)); }), 1);
  expectRefused(withOneResultLost(exercise(right)));
  EXPECT_EQ(failuresOf([] { expectRefused(exercise(right)); }), 2);
}

TEST(ExerciseTests, TellAGoalThatIsMetFromOneThatIsNot) {
  EXPECT_EQ(failuresOf([] { expectAllMet(exercise(right)); }), 1);
  EXPECT_EQ(failuresOf([] { expectAllMet(exercise(right, 1)); }), 0);
}
