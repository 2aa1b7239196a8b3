// Kernels as tasks on the executor: what a workspace gives them and takes from them, what the
// stopwatch counts; steps chosen by name; what fits in memory.
#include "measure/workspace.h"

#include <gtest/gtest.h>

#include <iostream>

#include "cuda/device.h"
#include "cuda/launch.h"
#include "measure/device_stopwatch.h"
#include "test_support/host_testing.h"
#include "test_support/kernel_testing.h"

// In workspace_test_kernels.cu.
__global__ void rightSums(int* data, int* blockSums, size_t n);
__global__ void ruinousSums(int* data, int* blockSums, size_t n);
__global__ void noSums(int*, int*, size_t);
__global__ void readsBehindTheEnd(int* data, int* blockSums, size_t n);
__global__ void oneTotal(const int* data, size_t n, long long* total);

namespace {

const long long* rightTotal(const int* data, size_t n, long long* total) {
  launch(dim3(1), dim3(32), oneTotal, data, n, total);
  return total;
}
const long long* noTotal(const int*, size_t, long long* total) { return total; }

Step step(BlockSumKernel kernel) {
  return {.lesson = "", .name = "step", .kernel = kernel, .elementsPerThread = 4};
}
Step step(const long long* (*wholeSum)(const int*, size_t, long long*)) {
  return {.lesson = "", .name = "step", .wholeSum = wholeSum};
}

constexpr size_t n = 1000;  // four blocks of 64 threads, the last one not full

}  // namespace

TEST(Workspace, HasTheBlocksThatTheElementsNeed) {
  EXPECT_EQ(blocksFor(0, 256), 0u);
  EXPECT_EQ(blocksFor(1, 256), 1u);
  EXPECT_EQ(blocksFor(1024, 256), 4u);
  EXPECT_EQ(blocksFor(1025, 256), 5u);
  const Input input = makeInput(n, 7);
  EXPECT_EQ(Workspace(input, 64).blocks(step(rightSums)), 4u);
  EXPECT_EQ(Workspace(input, 512).blocks(step(rightSums)), 1u);
}

TEST(Workspace, GivesTheTotal) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  EXPECT_EQ(workspace.totalOf(step(rightSums)), input.sum);
  EXPECT_EQ(workspace.totalOf(step(rightTotal)), input.sum);
}

TEST(Workspace, GivesEveryKernelFreshData) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  EXPECT_EQ(workspace.totalOf(step(ruinousSums)), input.sum);
  EXPECT_EQ(workspace.totalOf(step(ruinousSums)), input.sum);
}

// What the step before left must not pass for the work of one that does nothing.
TEST(Workspace, KeepsNoResultForTheNextStep) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  workspace.totalOf(step(rightSums));
  EXPECT_NE(workspace.totalOf(step(noSums)), input.sum);
  workspace.totalOf(step(rightTotal));
  EXPECT_NE(workspace.totalOf(step(noTotal)), input.sum);
}

TEST(Workspace, ComparesTheTotalInEverySample) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  const Task right = workspace.taskFor(step(rightSums)), wrong = workspace.taskFor(step(noSums));
  const auto sample = [](const Task& task, StepResult& result) {
    task.prepare();
    task.run();
    task.finish();
    task.check(result);
  };
  StepResult result = right.step;
  EXPECT_EQ(result.expected, input.sum);
  EXPECT_EQ(result.blocks, 4u);
  sample(right, result);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.result, input.sum);
  sample(wrong, result);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.result, input.sum);
  sample(right, result);
  EXPECT_FALSE(result.ok) << "a right sample must not mend a wrong one";
}

TEST(Workspace, NeedsNoMoreBlocksThanAGridCanHave) {
  Machine machine;
  machine.freeBytes = machine.hostFreeBytes = SIZE_MAX;
  EXPECT_TRUE(Workspace::needs(uint64_t(1) << 35, 32, machine).fit(machine));
  EXPECT_FALSE(Workspace::needs(uint64_t(1) << 37, 32, machine).fit(machine));
  EXPECT_TRUE(Workspace::needs(uint64_t(1) << 37, 1024, machine).fit(machine));
}

// ---- The stopwatch

TEST(DeviceStopwatch, RunsFinishesAndChecks) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  const auto steps = testStopwatch().measure(
      {workspace.taskFor(step(rightSums)), workspace.taskFor(step(noSums))}, {});
  EXPECT_TRUE(steps.at(0).ok);
  EXPECT_EQ(steps.at(0).result, input.sum);
  EXPECT_FALSE(steps.at(1).ok);
  EXPECT_EQ(steps.at(1).fault, "");
  EXPECT_TRUE(steps.at(0).kernelMs.empty() && steps.at(0).answerMs.empty());
}

TEST(DeviceStopwatch, CountsTheRunAndNothingBefore) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  Task task = workspace.taskFor(step(rightSums));
  task.prepare = [&workspace, prepare = task.prepare] {
    workspace.totalOf(step(rightTotal));
    prepare();
  };
  workspace.totalOf(step(rightSums));
  const Counters counters = testStopwatch().measure({task}, {}).at(0).counters.value();
  EXPECT_EQ(counters.load_requests, n);
  EXPECT_EQ(counters.store_requests, 4u);
}

TEST(DeviceStopwatch, ReportsAFaultAndGoesOn) {
  const Input input = makeInput(n, 7);
  Workspace workspace(input, 64);
  const auto steps = testStopwatch().measure(
      {workspace.taskFor(step(readsBehindTheEnd)), workspace.taskFor(step(rightSums))}, {});
  EXPECT_FALSE(steps.at(0).ok);
  EXPECT_TRUE(contains(steps.at(0).fault, "readsBehindTheEnd"));
  EXPECT_TRUE(steps.at(1).ok);
}

TEST(DeviceStopwatch, RunsWithTheSettingsItWasGiven) {
  simt::Settings settings;
  settings.multiprocessors = 7;
  unsigned seen = 0;
  DeviceStopwatch("test", Machine(), settings)
      .measure({{.step = {.lesson = "", .name = ""},
                 .prepare = {},
                 .run = [&] { seen = multiprocessors(); }}},
               {});
  EXPECT_EQ(seen, 7u);
  EXPECT_EQ(multiprocessors(), simt::Settings().multiprocessors);
}

TEST(DeviceStopwatch, CountsEachPartForItself) {
  const Input input = makeInput(n, 7);
  DeviceArray<int> data(n, "data");
  data.copyFromHost(input.values.get());
  DeviceArray<long long> total(1, "total");
  const auto adding = [&](size_t count) {
    return [&, count] { rightTotal(data.data(), count, total.data()); };
  };
  Task task{.step = {.lesson = "", .name = "all"}, .prepare = {}, .run = {}};
  task.parts = {{{.lesson = "", .name = "ten"}, adding(10)},
                {{.lesson = "", .name = "thirty"}, adding(30)}};
  const auto steps = testStopwatch().measure({task}, {});
  EXPECT_FALSE(steps.at(0).counters);
  EXPECT_EQ(steps.at(1).counters.value().load_requests, 10u);
  EXPECT_EQ(steps.at(2).counters.value().load_requests, 30u);
}

// ---- Steps

static std::vector<Step> ladder() {
  std::vector<Step> steps;
  const std::vector<std::pair<std::string, std::string>> names = {
      {"one", ""}, {"two", "one"}, {"three", "two"}, {"four", "three"}, {"five", "one"}};
  for (const auto& [name, base] : names)
    steps.push_back({.lesson = "", .name = name, .basedOn = base});
  return steps;
}

static std::vector<std::string> basesOf(const std::vector<Step>& steps) {
  std::vector<std::string> bases;
  for (const Step& step : steps) bases.push_back(step.name + " <- " + step.basedOn);
  return bases;
}

TEST(SelectSteps, HasThoseOfTheNamesInTheirOrder) {
  EXPECT_EQ(basesOf(selectSteps(ladder(), {"two", "one"})),
            (std::vector<std::string>{"two <- one", "one <- "}));
}

TEST(SelectSteps, BasesAStepOnTheNearestThatIsShown) {
  EXPECT_EQ(basesOf(selectSteps(ladder(), {"one", "four", "five"})),
            (std::vector<std::string>{"one <- ", "four <- one", "five <- one"}));
  EXPECT_EQ(basesOf(selectSteps(ladder(), {"three", "four"})),
            (std::vector<std::string>{"three <- ", "four <- three"}));
}

TEST(SelectSteps, KnowsNoOtherNames) {
  EXPECT_THROW(selectSteps(ladder(), {"six"}), std::invalid_argument);
  EXPECT_THROW(findStep(ladder(), ""), std::invalid_argument);
}

TEST(JoinSteps, PutsOneListBehindTheOther) {
  const std::vector<Step> steps = ladder();
  EXPECT_EQ(basesOf(joinSteps({{steps[0], steps[1]}, {}, {steps[2]}})),
            (std::vector<std::string>{"one <- ", "two <- one", "three <- two"}));
}

// ---- Memory

static Machine machineWith(size_t device, size_t host) {
  Machine machine;
  machine.freeBytes = device;
  machine.hostFreeBytes = host;
  return machine;
}

TEST(MemoryBudget, FitsWhereBothKindsOfMemoryDo) {
  EXPECT_TRUE((Needs{100, 50}).fit(machineWith(100, 50)));
  EXPECT_FALSE((Needs{101, 50}).fit(machineWith(100, 50)));
  EXPECT_FALSE((Needs{100, 51}).fit(machineWith(100, 50)));
}

TEST(MemoryBudget, SaysWhatIsNeededAndWhatIsFree) {
  const std::string line = refusalOf([] {
    Needs{0, 3 << 20}.refuse("--n 5", machineWith(0, 2 << 20), "take less");
  });
  EXPECT_EQ(line, "--n 5 needs 3 MiB of host memory and 2 MiB are free: take less");
}

// The executor's arrays are in host memory, and it remembers something of every byte.
TEST(MemoryBudget, CountsTheExecutorsArraysAsHostMemory) {
  const Needs needs = needsOf(4e9, 1e9, machineWith(0, 0));
  EXPECT_EQ(needs.device, 0);
  EXPECT_GT(needs.host, 1e9 + 1.5 * 4e9);
  EXPECT_LT(needs.host, 1e9 + 2.0 * 4e9);
}

static uint64_t chosenWith(std::optional<uint64_t> asked, size_t freeBytes) {
  const auto needs = [](uint64_t count) { return Needs{0, double(count)}; };
  return chooseN(asked, 1 << 20, machineWith(0, freeBytes), needs);
}

TEST(MemoryBudget, TakesWhatWasAskedForWhereItFits) {
  EXPECT_EQ(chosenWith(1000, 1000), 1000u);
  EXPECT_EQ(chosenWith(0, 1000), 0u);
}

TEST(MemoryBudget, RefusesWhatWasAskedForAndNamesWhatFits) {
  EXPECT_TRUE(contains(refusalOf([] { chosenWith(1001, 1000); }), "--n 512 fits"));
}

TEST(MemoryBudget, TakesLessThanUsualWhereThatDoesNotFit) {
  EXPECT_EQ(chosenWith({}, 1 << 20), 1u << 20);
  const Captured out(std::cout);
  EXPECT_EQ(chosenWith({}, 5000), 4096u);
  EXPECT_EQ(out.text(), "the default n = 2^20 does not fit in memory: n = 2^12\n");
}
