#include "exercise/trial.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/errors.h"
#include "base/table.h"
#include "cuda/launch.h"
#include "measure/device_stopwatch.h"
#include "measure/workspace.h"
#include "program/run.h"
#ifndef GPU_BACKEND
#include "program/explore_page.h"
#endif

KernelCall<int> callOf(const Step& step) {
  return [step](int* data, int* results, Extent s) {
    const auto grid = unsigned(blocksFor(s.n, uint64_t(step.elementsPerThread) * s.block));
    const auto kernel = step.kernelFor ? step.kernelFor(s.block) : step.kernel;
    if (grid > 0) launch(dim3(grid), dim3(s.block), kernel, data, results, s.n);
  };
}

KernelCall<int> callOf(BlockSumKernel kernel, unsigned elementsPerThread) {
  return callOf(
      Step{.lesson = "", .name = "", .kernel = kernel, .elementsPerThread = elementsPerThread});
}

namespace {

// Runs the kernel once and says what was wrong, or nothing.
template <typename T>
std::string mistakeIn(const Exercise<T>& exercise, Extent extent, DataChoice choice) {
  const std::vector<T> values = exerciseData(exercise, extent, choice);
  const std::vector<T> expected = exercise.reference(values, extent);
  DeviceArray<T> data(values.size(), "data"), results(expected.size(), "results");
  data.copyFromHost(values.data());
  results.poison();
#ifdef GPU_BACKEND
  exercise.call(data.data(), results.data(), extent);
#else
  try {
    exercise.call(data.data(), results.data(), extent);
  } catch (const simt::Fault& fault) {
    return extent.text() + ": " + fault.what();
  }
#endif
  std::vector<T> got(expected.size());
  results.copyToHost(got.data(), got.size());
  return differenceOf(got, expected, extent);
}

#ifndef GPU_BACKEND

template <typename T>
std::string mistakeUnder(const Exercise<T>& exercise, Extent extent, DataChoice choice,
                         const Trial& trial, simt::Schedule schedule) {
  simt::Settings settings = trial.executor;
  settings.schedule = schedule;
  const simt::WithSettings scope(settings);
  return mistakeIn(exercise, extent, choice);
}

#endif

}  // namespace

template <typename T>
std::vector<Extent> extentsOf(const Exercise<T>& exercise, std::optional<uint64_t> n,
                              std::optional<unsigned> block) {
  std::vector<Extent> extents = exercise.extents;
  if (!extents.empty()) return extents;
  const std::vector<size_t> lengths = {0, 1, 31, 32, 33, 511, 512, 513, 997, 4099, (1 << 14) + 7};
  const std::vector<unsigned> blocks = {32, 64, 128, 256, 512, 1024};
  for (const size_t length : n ? std::vector<size_t>{*n} : lengths)
    for (const unsigned size : block ? std::vector<unsigned>{*block} : blocks)
      extents.push_back({length, size});
  return extents;
}

template <typename T>
std::string firstMistake(const Exercise<T>& exercise, const std::vector<Extent>& extents,
                         const Trial& trial) {
  const size_t rounds = std::max<size_t>(5, exercise.data.size());
  std::string mistake;
#ifdef GPU_BACKEND
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i)
    for (size_t k = 0; k < rounds && mistake.empty(); ++k)
      mistake = mistakeIn(exercise, extents[i], {trial.seed, k});
#else
  using Order = simt::Schedule::Order;
  const std::vector<std::pair<simt::Schedule, std::string>> schedules = {
      {trial.executor.schedule, ""},
      {{Order::reverse, 1}, ", --schedule reverse"},
      {{Order::random, 1}, ", --schedule random:1"},
      {{Order::random, 2}, ", --schedule random:2"},
      {{Order::random, 3}, ", --schedule random:3"}};
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i)
    for (size_t k = 0; k < rounds && mistake.empty(); ++k) {
      const auto& [schedule, name] = schedules[k % schedules.size()];
      mistake = mistakeUnder(exercise, extents[i], {trial.seed, k}, trial, schedule);
      if (mistake.empty()) continue;
      // The order of the threads is named where it matters.
      const std::string first =
          mistakeUnder(exercise, extents[i], {trial.seed, k}, trial, trial.executor.schedule);
      mistake = first.empty() ? mistake + name : first;
    }
  if (mistake.empty() && exercise.large)
    mistake = mistakeInLarge(exercise, *exercise.large, {trial.seed, 0});
#endif
  return mistake;
}

#ifdef GPU_BACKEND

// Prints the median times of the exercise and of the lesson's kernel, samples in turn.
template <typename T>
static void timeBoth(const Exercise<T>& exercise, Extent extent, const std::string& lessonName,
                     const KernelCall<T>& lessonCall, const Options& options,
                     const Report& report) {
  const std::vector<T> values = exerciseData(exercise, extent, {options.seed});
  const size_t count = exercise.reference(values, extent).size();
  DeviceArray<T> original(values.size(), "input"), data(values.size(), "data");
  DeviceArray<T> results(std::max(count, values.size() / 32 + 1), "results");
  original.copyFromHost(values.data());
  const auto taskOf = [&](const std::string& name, const KernelCall<T>& call) {
    return Task{.step = {.lesson = exercise.program, .name = name},
                .prepare = [&] { data.copyFromDevice(original); },
                .run = [&] { call(data.data(), results.data(), extent); }};
  };
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  const std::vector<StepResult> steps = stopwatch.measure(
      {taskOf("exercise", exercise.call), taskOf(lessonName, lessonCall)}, samplingOf(options));
  std::cout << "medians of " << options.samples << " interleaved samples, " << extent.text()
            << ", L2 flushed before each:\n\n";
  Table table;
  table.add({"kernel", "ms (min–max)", "GB/s"});
  for (const StepResult& step : steps) {
    const Spread s = spreadOf(step.kernelMs);
    const double bytes = double(sizeof(T)) * double(extent.elements());
    table.add({step.name, fmt::format("{:.4f} ({:.4f}–{:.4f})", s.median, s.min, s.max),
               fixed(bytes / s.median * 1e-6, 0)});
  }
  table.print();
  std::cout << "\nbuild/cpu/" << exercise.program << " --exercise counts the goals\n";
}

#endif

#ifndef GPU_BACKEND

// One small launch of the exercise, as a page.
template <typename T>
static int exploreExercise(const Options& options, const Exercise<T>& exercise) {
  if (!options.named.empty())
    throw Error(exitUsage, "--step: not with --exercise, which shows exercise.cuh");
  Extent extent{64 * exercise.elementsPerThread, 64};
  if (!exercise.extents.empty())
    extent = *std::ranges::min_element(exercise.extents, {}, [](Extent e) {
      return e.elements() >= 64 ? e.elements() : SIZE_MAX;
    });
  if (options.n) extent.n = *options.n;
  if (options.blockGiven) extent.block = options.block;
  if (extent.elements() > 1 << 20)
    throw Error(exitUsage, "--n: at most 2^20 with --explore, which shows the first blocks");
  const auto launch = [&exercise, extent, seed = options.seed] {
    const std::vector<T> values = exerciseData(exercise, extent, {seed});
    DeviceArray<T> data(values.size(), "data");
    DeviceArray<T> results(exercise.reference(values, extent).size(), "results");
    data.copyFromHost(values.data());
    results.poison();
    exercise.call(data.data(), results.data(), extent);
  };
  return writeExplorePage(options, {{exercise.program + "/exercise.cuh", extent.text(), launch}});
}

#endif

// Checks, and grades. Returns the exit code; throws Error when a result is wrong.
template <typename T>
static int runExercise(const Options& options, const Exercise<T>& exercise,
                       const std::string& lessonName, const KernelCall<T>& lessonCall) {
#ifndef GPU_BACKEND
  if (!options.explore.empty()) return exploreExercise(options, exercise);
#endif
  const Report report = startReport(options, exercise.program);
  if (options.n)  // throws when it does not fit
    chooseN(options.n, 0, report.machine,
            [&](uint64_t n) { return Workspace::needs(n, options.block, report.machine); });
  if (!options.json.empty()) throw Error(exitUsage, "--json: --exercise writes no result file");
  printMachine(report);
  std::cout << "\nExercise (" << exercise.program << "/exercise.cuh): " << exercise.task << '\n'
            << "results: " << std::flush;

  std::optional<unsigned> block;
  if (options.blockGiven) block = options.block;
  const std::vector<Extent> extents = extentsOf(exercise, options.n, block);
  Trial trial{.seed = options.seed};
#ifndef GPU_BACKEND
  trial.executor = executorSettings(options);
#endif
  const std::string mistake = firstMistake(exercise, extents, trial);
  std::cout << (mistake.empty() ? "right" : "wrong; the goals wait until they are right\n")
            << std::flush;
  if (!mistake.empty()) throw Error(exitWrong, mistake);
  std::cout << ", from " << extents.front().text() << " to " << extents.back().text();
#ifdef GPU_BACKEND
  std::cout << '\n';
  Extent timed = exercise.timed;
  timed.n = options.n.value_or(timed.n);
  timed.block = block.value_or(timed.block);
  if (timed.n > 0) timeBoth(exercise, timed, lessonName, lessonCall, options, report);
#else
  std::cout << ", under 5 schedules, no fault\n";
  if (!simt::instrumented()) {
    std::cout << "built with sanitizers: the executor counts no goals\n";
    return exitRight;
  }
  const size_t met = gradeGoals(exercise), all = exercise.goals.size();
  std::cout << (met == all ? "all" : fmt::format("{} of {}", met, all)) << " goals met\n";
  printExerciseEstimates(exercise, lessonName, lessonCall, options);
#endif
  return exitRight;
}

template <typename T>
Mode exerciseMode(const Exercise<T>& exercise, const std::string& lessonName,
                  const KernelCall<T>& lessonCall) {
  Mode mode{.flag = "--exercise",
            .help = "check and grade the kernel in exercise.cuh",
            .run = [=](const Options& options) {
              return runExercise(options, exercise, lessonName, lessonCall);
            }};
  mode.explore = true;
  for (const std::string option : {"--fast", "--counters"})
    mode.leaveOut.emplace_back(option, "looks for faults and counts its goals");
  for (const std::string option : {"--rows", "--cols", "--batch"})
    mode.leaveOut.emplace_back(option, "chooses its own sizes");
  return mode;
}

Mode exerciseMode(const Exercise<int>& exercise, const Step& lessonStep) {
  return exerciseMode(exercise, lessonStep.name, callOf(lessonStep));
}

#define FOR_ELEMENTS(T)                                                                            \
  template std::vector<Extent> extentsOf(const Exercise<T>&, std::optional<uint64_t>,              \
                                         std::optional<unsigned>);                                 \
  template std::string firstMistake(const Exercise<T>&, const std::vector<Extent>&, const Trial&); \
  template Mode exerciseMode(const Exercise<T>&, const std::string&, const KernelCall<T>&);
FOR_ELEMENTS(int)
FOR_ELEMENTS(double)
