// The loop that measures: what is done in a sample, which samples are kept, and in what order they
// are taken.
#include "measure/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace {

using Notes = std::vector<std::string>;

// CPU code that writes down what is done with it.
Task noting(const std::string& name, Notes& notes) {
  Task task{.step = {.lesson = "", .name = name},
            .prepare = [name, &notes] { notes.push_back("prepare " + name); },
            .run = [name, &notes] { notes.push_back("run " + name); }};
  task.finish = [name, &notes] { notes.push_back("finish " + name); };
  task.check = [name, &notes](StepResult&) { notes.push_back("check " + name); };
  task.onCpu = true;
  return task;
}

// A task for the device below.
Task kernel(const std::string& name) {
  return {.step = {.lesson = "", .name = name}, .prepare = {}, .run = [] {}};
}

// A device that writes down what it is given, and needs so many milliseconds for it.
class NotingDevice : public Stopwatch {
 public:
  explicit NotingDevice(bool counts, double ms = 1) : Stopwatch("test"), counts_(counts), ms_(ms) {}
  std::vector<bool> kept;
  std::vector<Before> before;
  std::string names;  // of the tasks, in the order of their samples

 protected:
  void sampleOnDevice(const Task& task, const Sampling& how, bool keep, StepResult* step) override {
    kept.push_back(keep);
    before.push_back(how.before);
    names += task.step.name;
    if (keep) step->kernelMs.push_back(ms_);
  }
  bool countsOnly() const override { return counts_; }

 private:
  const bool counts_;
  const double ms_;
};

}  // namespace

TEST(Stopwatch, PreparesRunsFinishesAndChecksInEachSample) {
  Notes notes;
  Stopwatch("test").measure({noting("a", notes)}, {.samples = 1, .warmUps = 1});
  const Notes once = {"prepare a", "run a", "finish a", "check a"};
  Notes twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(notes, twice);
}

// Each task once in every round, and not always behind the same one.
TEST(Stopwatch, ShufflesTheTasksOfEveryRoundWhereAsked) {
  NotingDevice device(false);
  device.measure({kernel("a"), kernel("b"), kernel("c"), kernel("d")},
                 {.samples = 6, .warmUps = 2, .shuffled = true});
  ASSERT_EQ(device.names.size(), 8u * 4);
  std::set<std::string> orders;
  for (size_t round = 0; round < 8; ++round) {
    std::string order = device.names.substr(4 * round, 4);
    orders.insert(order);
    std::ranges::sort(order);
    EXPECT_EQ(order, "abcd");
  }
  EXPECT_GE(orders.size(), 3u);
}

TEST(Stopwatch, TakesTheSamplesOfAllTasksInTurn) {
  Notes notes;
  std::vector<Task> tasks = {noting("a", notes), noting("b", notes)};
  for (Task& task : tasks) task.prepare = task.finish = {}, task.check = {};
  Stopwatch("test").measure(tasks, {.samples = 2, .warmUps = 1});
  EXPECT_EQ(notes, (Notes{"run a", "run b", "run a", "run b", "run a", "run b"}));
}

TEST(Stopwatch, KeepsNoWarmUpOfCpuCode) {
  Notes notes;
  const auto steps = Stopwatch("test").measure({noting("a", notes)}, {.samples = 3, .warmUps = 2});
  EXPECT_EQ(notes.size(), 4 * (2 + 3u));
  EXPECT_EQ(steps.at(0).kernelMs.size(), 3u);
}

TEST(Stopwatch, KeepsNoWarmUpOfAKernel) {
  NotingDevice device(false);
  device.measure({kernel("a")}, {.samples = 3, .warmUps = 2});
  EXPECT_EQ(device.kept, (std::vector<bool>{false, false, true, true, true}));
}

TEST(Stopwatch, RunsOnceWhatIsCounted) {
  NotingDevice device(true);
  device.measure({kernel("a"), kernel("b")}, {.samples = 30, .warmUps = 3});
  EXPECT_EQ(device.kept, (std::vector<bool>{true, true}));
}

TEST(Stopwatch, TimesCpuCodeAlsoWhereKernelsAreCounted) {
  Notes notes;
  NotingDevice device(true);
  const auto steps = device.measure({noting("a", notes)}, {.samples = 3, .warmUps = 2});
  EXPECT_EQ(steps.at(0).kernelMs.size(), 3u);
  EXPECT_TRUE(device.kept.empty());
}

TEST(Stopwatch, TakesThreeSamplesOfASlowTask) {
  for (const double ms : {99.0, 101.0}) {
    NotingDevice device(false, ms);
    const auto steps = device.measure({kernel("a")}, {.samples = 10, .warmUps = 1, .slowMs = 100});
    EXPECT_EQ(steps.at(0).kernelMs.size(), ms > 100 ? 3u : 10u) << ms;
  }
}

TEST(Stopwatch, PassesOnHowASampleFindsTheGpu) {
  for (const Before before : {Before::flushed, Before::queued, Before::idle}) {
    NotingDevice device(true);
    device.measure({kernel("a")}, {.before = before});
    EXPECT_EQ(device.before, std::vector<Before>{before});
  }
}

TEST(Stopwatch, PutsTheStepsOfPartsBehindTheirTask) {
  Task parts = kernel("a");
  for (const std::string name : {"a1", "a2"})
    parts.parts.push_back({{.lesson = "", .name = name}, [] {}});
  NotingDevice device(false);
  const auto steps = device.measure({parts, kernel("b")}, {.samples = 1});
  ASSERT_EQ(steps.size(), 4u);
  Notes names;
  for (const StepResult& step : steps) names.push_back(step.name);
  EXPECT_EQ(names, (Notes{"a", "a1", "a2", "b"}));
  EXPECT_EQ(steps[0].kernelMs.size(), 1u);
  EXPECT_TRUE(steps[1].kernelMs.empty());
  EXPECT_EQ(steps[3].kernelMs.size(), 1u);
}

TEST(Stopwatch, RunsEveryPart) {
  Notes notes;
  Task task = noting("a", notes);
  task.run = task.prepare = task.finish = {};
  task.check = {};
  for (const std::string name : {"first", "second"})
    task.parts.push_back({{.lesson = "", .name = name}, [name, &notes] { notes.push_back(name); }});
  Stopwatch("test").measure({task}, {.samples = 1, .warmUps = 0});
  EXPECT_EQ(notes, (Notes{"first", "second"}));
}

TEST(Stopwatch, ForCpuCodeTakesNoKernel) {
  EXPECT_THROW(Stopwatch("test").measure({kernel("a")}, {.samples = 1}), std::logic_error);
}
