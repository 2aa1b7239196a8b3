// A lesson's program from its command line to its exit code, with kernels that are right, wrong and
// faulty.
#include "program/lesson.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "estimate/sampled.h"
#include "measure/input.h"
#include "program/run.h"
#include "report/result_file.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

// In lesson_test_kernels.cu.
__global__ void right(int* data, int* blockSums, size_t n);
__global__ void wrong(int* data, int* blockSums, size_t n);
__global__ void behindTheEnd(int* data, int* blockSums, size_t n);
__global__ void racing(int* data, int* blockSums, size_t n);

namespace {

using Words = std::vector<std::string>;

Step step(const std::string& name, BlockSumKernel kernel) {
  return {.lesson = "lesson", .name = name, .kernel = kernel};
}

struct Outcome {
  int code;
  std::string out, err;
};

Outcome run(Words words, const std::vector<Step>& steps, const std::vector<Mode>& modes = {}) {
  words.insert(words.begin(), "program");
  if (std::ranges::find(words, "--card") == words.end()) words.push_back("--no-estimate");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const Captured out(std::cout), err(std::cerr);
  const int code = runLesson(int(argv.size()), argv.data(),
                             {.program = "program", .steps = steps, .modes = modes});
  return {code, out.text(), err.text()};
}

// The result file of a right run with these words.
Report resultOf(Words words, const std::vector<Step>& steps) {
  const TemporaryFolder folder;
  words.insert(words.end(), {"--json", folder.path("result.json")});
  EXPECT_EQ(run(words, steps).code, exitRight);
  EXPECT_EQ(folder.names(), Words{"result.json"});
  return readResult(folder.path("result.json"));
}

}  // namespace

TEST(Lesson, IsRightWhereEveryStepIs) {
  const Outcome outcome = run({"--n", "1000"}, {step("one", right), step("two", right)});
  EXPECT_EQ(outcome.code, exitRight);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "every step is right"));
}

TEST(Lesson, WithAWrongSumEndsWithExitCode1) {
  const Outcome outcome = run({"--n", "1000"}, {step("one", right), step("two", wrong)});
  EXPECT_EQ(outcome.code, exitWrong);
  EXPECT_TRUE(contains(outcome.err, "program: two is wrong: "));
  EXPECT_TRUE(contains(outcome.out, "WRONG"));
  EXPECT_FALSE(contains(outcome.out, "every step is right"));
}

TEST(Lesson, WithAFaultEndsWithExitCode1) {
  const Outcome outcome = run({"--n", "1000"}, {step("one", behindTheEnd), step("two", right)});
  EXPECT_EQ(outcome.code, exitWrong);
  EXPECT_TRUE(contains(outcome.err, "program: behindTheEnd, block 0: "));
  EXPECT_TRUE(contains(outcome.out, "FAULT"));
  EXPECT_FALSE(contains(outcome.out, "every step is right"));
}

TEST(Lesson, TakesNBlockAndSeedFromTheCommandLine) {
  const Report report = resultOf({"--n", "1000", "--block", "64", "--seed", "5", "--samples", "7"},
                                 {step("one", right)});
  EXPECT_EQ(report.n, 1000u);
  EXPECT_EQ(report.block, 64u);
  EXPECT_EQ(report.seed, 5u);
  EXPECT_EQ(report.samples, 7u);
  ASSERT_EQ(report.steps.size(), 1u);
  EXPECT_EQ(report.steps[0].blocks, 16u);
  EXPECT_EQ(report.steps[0].result, makeInput(1000, 5).sum);
  EXPECT_EQ(report.steps[0].expected, makeInput(1000, 5).sum);
}

TEST(Lesson, SkipsWhatOnlyAGpuRuns) {
  const Outcome outcome = run({"--n", "10"}, {step("one", right), step("not here", nullptr)});
  EXPECT_EQ(outcome.code, exitRight) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "only a GPU has what it takes: not here\n"));
}

TEST(Lesson, DoesWhatAModeDoesAndNothingElse) {
  const Mode mode{.flag = "--other", .help = "", .run = [](const Options&) { return 42; }};
  const Outcome outcome = run({"--other"}, {step("one", wrong)}, {mode});
  EXPECT_EQ(outcome.code, 42);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(run({"--n", "10"}, {step("one", right)}, {mode}).code, exitRight);
}

TEST(Lesson, LooksForRacesUnlessItIsToBeFast) {
  const Outcome outcome = run({"--n", "1000"}, {step("one", racing)});
  EXPECT_EQ(outcome.code, exitWrong);
  EXPECT_TRUE(contains(outcome.err, "race"));
  EXPECT_EQ(run({"--n", "1000", "--fast"}, {step("one", racing)}).code, exitRight);
}

TEST(Lesson, EstimatesTheTimeOnTheCardThatIsNamed) {
  NEEDS_GPU_CODE();
  const Words words = {"--n", "1000", "--card", "h200"};
  const Outcome outcome = run(words, {step("one", right), step("two", wrong)});
  EXPECT_TRUE(contains(outcome.out, "Estimated on an NVIDIA H200 at n = 1000, block 512"));
  const Report report = resultOf(words, {step("one", right)});
  ASSERT_TRUE(report.steps[0].estimate);
  EXPECT_EQ(report.steps[0].estimate->card, "NVIDIA H200");
  EXPECT_EQ(report.steps[0].estimate->n, 1000u);
  EXPECT_FALSE(report.steps[0].isTimed());
}

TEST(Lesson, ShowsTheLinesThatTheEstimatedTimeGoesInto) {
  NEEDS_GPU_CODE();
  const Outcome outcome = run({"--n", "1000", "--card", "h200", "--where"}, {step("one", right)});
  EXPECT_TRUE(contains(outcome.out, "Where the estimated time of one goes:"));
  EXPECT_TRUE(contains(outcome.out, "block_sums.h:"));
}

TEST(Lesson, RefusesACardThatThereIsNoneOf) {
  const Outcome outcome = run({"--n", "1000", "--card", "none"}, {step("one", right)});
  EXPECT_EQ(outcome.code, exitUsage);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "none"));
}

TEST(Lesson, ShowsEveryCounterOnlyWhenAsked) {
  EXPECT_FALSE(contains(run({"--n", "10"}, {step("one", right)}).out, "shuffles"));
  EXPECT_TRUE(contains(run({"--n", "10", "--counters"}, {step("one", right)}).out, "shuffles"));
}

TEST(ExecutorSettings, AreThoseOfTheCommandLine) {
  using Order = simt::Schedule::Order;
  Options options;
  EXPECT_EQ(executorSettings(options).schedule.order, Order::forward);
  EXPECT_TRUE(executorSettings(options).findFaults);
  options.schedule = "reverse";
  options.fast = true;
  EXPECT_EQ(executorSettings(options).schedule.order, Order::reverse);
  EXPECT_FALSE(executorSettings(options).findFaults);
  options.schedule = "random";
  options.scheduleSeed = 9;
  EXPECT_EQ(executorSettings(options).schedule.order, Order::random);
  EXPECT_EQ(executorSettings(options).schedule.seed, 9u);
}

TEST(Sampling, HasTheSamplesOfTheCommandLine) {
  Options options;
  EXPECT_EQ(samplingOf(options).samples, 30u);
  options.samples = 7;
  EXPECT_EQ(samplingOf(options).samples, 7u);
}
