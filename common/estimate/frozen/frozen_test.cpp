// The frozen set: right on the executor, many kernels of many kinds, and all that was recorded is
// still there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/format.h"
#include "report/result_file.h"
#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

namespace {

Report smallRun() {
  static const Report report = [] {
    const TemporaryFolder folder;
    const std::string json = folder.path("frozen.json");
    const Outcome outcome = run(FROZEN_KERNELS, {"--n", "2^14", "--json", json});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return readResult(json);
  }();
  return report;
}

// In the kernels' files; a kernel of a template counts once.
size_t kernelsOfTheSet() {
  size_t kernels = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FROZEN_DIR)) {
    if (entry.path().extension() != ".cuh") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) kernels += line.starts_with("__global__");
  }
  return kernels;
}

}  // namespace

TEST(Frozen, EveryKernelIsRightAndWithoutFaultOnTheExecutor) {
  for (const StepResult& step : smallRun().steps)
    EXPECT_TRUE(step.isRight()) << step.name << ": " << step.fault;
}

TEST(Development, EveryKernelIsRightAndWithoutFaultOnTheExecutor) {
  const Outcome outcome = run(DEVELOPMENT_KERNELS, {"--n", "2^14"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
}

TEST(Frozen, IsRightInAnyOrderOfThreads) {
  for (const char* schedule : {"reverse", "random:3"}) {
    const Outcome outcome = run(FROZEN_KERNELS, {"--n", "2^14", "--schedule", schedule});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  }
}

TEST(Frozen, HasManyKernelsOfManyKinds) {
  std::map<std::string, unsigned> kinds;
  std::set<std::string> names;
  for (const StepResult& step : smallRun().steps) {
    EXPECT_TRUE(step.lesson.starts_with("frozen: ")) << step.name;
    ++kinds[step.lesson];
    EXPECT_TRUE(names.insert(step.name).second) << step.name;
  }
  EXPECT_GE(kinds.size(), 15u);
  EXPECT_GE(kernelsOfTheSet(), 40u);
}

TEST(Frozen, WhatWasRecordedIsStillInTheSetAndWasRight) {
  const Report now = smallRun();
  for (const char* card : {"h200", "h100"}) {
    const Report record = readResult(fmt::format("{}/{}_frozen.json", RESULTS_DIR, card));
    EXPECT_GE(record.steps.size(), 100u) << card;
    for (const StepResult& step : record.steps) {
      EXPECT_TRUE(step.isRight()) << card << ", " << step.name;
      EXPECT_TRUE(step.isTimed()) << card << ", " << step.name;
      const StepResult* const same = now.find(step.name);
      ASSERT_NE(same, nullptr) << step.name << " was taken out";
      EXPECT_EQ(same->lesson, step.lesson) << step.name;
      EXPECT_EQ(same->block, step.block) << step.name;
    }
  }
}
