// The tests that every step of lessons 02 to 08 has to pass: TEST_STEPS(Lesson, steps) in a
// lesson's test.
#pragma once

#include <algorithm>
#include <cctype>
#include <iostream>

#include "program/lesson.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"
#include "test_support/wrong_kernels.h"

// How GoogleTest shows a step.
inline void PrintTo(const Step& step, std::ostream* out) { *out << step.name; }

class Steps : public testing::TestWithParam<Step> {
 protected:
  void SetUp() override {
    NEEDS_DEVICE();
    if (!GetParam().runsHere())
      GTEST_SKIP() << "this device has not what " << GetParam().name << " takes";
  }
};

TEST_P(Steps, SumAnyLength) { expectSumsAnyLength(GetParam()); }

// Where a grid of n / (elements of a block) would drop the tail, and where some of a thread's
// elements exist and some do not.
TEST_P(Steps, SumLengthsAroundWholeBlocks) {
  for (const size_t n : {2 * 512 - 1, 2 * 512 + 1, 7 * 512 - 1, 7 * 512 + 1, 8 * 512 - 1, 8 * 512,
                         8 * 512 + 1, 9 * 512, 16 * 512 - 1, 16 * 512 + 1, (1 << 14) + 1}) {
    const Input input = makeInput(n, 7);
    for (const unsigned block : {32u, 64u, 512u, 1024u})
      EXPECT_EQ(totalOf(GetParam(), input, block), input.sum) << "n " << n << ", block " << block;
  }
}

#ifndef GPU_BACKEND

TEST_P(Steps, SumUnderAnySchedule) { expectSumsAnySchedule(GetParam()); }

TEST_P(Steps, SlowSumAMillionUnderAnySchedule) {
  // Many blocks, each in an order of its own: one order of the blocks is enough.
  expectSumsUnderSchedules(GetParam(), {1000003}, 1, 1, {64, 512});
}

// The lesson's program with this step gone wrong.
TEST_P(Steps, AWrongSumEndsTheProgramWithExitCode1) {
  Step step = GetParam();
  step.kernel = forgetsTheFirst;
  step.kernelFor = nullptr;
  step.wholeSum = nullptr;
  step.blocksFor = nullptr;
  step.elementsPerThread = 1;
  std::vector<std::string> words = {"program", "--n", "1000", "--block", "64"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  const Captured out(std::cout), err(std::cerr);
  EXPECT_EQ(runLesson(int(argv.size()), argv.data(), {.program = "program", .steps = {step}}),
            exitWrong);
  EXPECT_TRUE(contains(out.text(), "WRONG"));
  EXPECT_TRUE(contains(err.text(), "program: " + step.name + " is wrong: "));
}

#endif

inline std::string testNameOf(const testing::TestParamInfo<Step>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

// Those that this backend has.
inline std::vector<Step> stepsOfThisBackend(const std::vector<Step>& steps) {
  std::vector<Step> here;
  for (const Step& step : steps)
    if (step.kernel || step.kernelFor || step.wholeSum) here.push_back(step);
  return here;
}

#define TEST_STEPS(Lesson, steps) \
  INSTANTIATE_TEST_SUITE_P(Lesson, Steps, testing::ValuesIn(stepsOfThisBackend(steps)), testNameOf)
