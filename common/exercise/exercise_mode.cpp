// --exercise: checks the kernel in exercise.cuh, and says how far it is, or shows what it does.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "base/errors.h"
#include "base/table.h"
#include "base/text.h"
#include "cuda/device_array.h"
#include "exercise/kernel_prints.h"
#include "exercise/trial.h"
#include "measure/device_stopwatch.h"
#include "measure/workspace.h"
#include "program/run.h"
#include "report/result_file.h"
#ifndef GPU_BACKEND
#include "draw/step_picture.h"
#include "draw/timeline.h"
#include "program/estimates.h"
#include "program/explore_page.h"
#include "report/tables.h"
#endif

namespace {

// The kernel, but what it prints goes nowhere: it runs hundreds of times.
template <typename T>
Exercise<T> silenced(const Exercise<T>& exercise) {
  Exercise<T> silent = exercise;
  silent.call = [call = exercise.call](T* data, T* results, Extent extent) {
    const SilentOutput silence;
    call(data, results, extent);
#ifdef GPU_BACKEND
    CUDA_CHECK(cudaDeviceSynchronize());  // only then has it printed
#endif
  };
  return silent;
}

// Of --explore and --svg, and of what the kernel prints: two warps are enough to see that one of
// them rests.
template <typename T>
Extent smallExtent(const Exercise<T>& exercise, const Options& options) {
  Extent extent{64 * exercise.elementsPerThread, 64};
  if (!exercise.extents.empty())
    extent = *std::ranges::min_element(exercise.extents, {}, [](Extent e) {
      return e.elements() >= 64 ? e.elements() : SIZE_MAX;
    });
  if (options.n) extent.n = *options.n;
  if (options.blockGiven) extent.block = options.block;
  return extent;
}

#ifndef GPU_BACKEND
// The executor, but a loop without end ends within seconds.
simt::Settings impatient(simt::Settings settings, Extent extent) {
  settings.patience = 1 << 24;
  settings.longestComputation = 0;
  settings.mostTurns = std::max<uint64_t>(1 << 16, 4 * extent.elements());
  return settings;
}
#endif

template <typename T>
void launchOnce(const Exercise<T>& exercise, Extent extent, uint64_t seed) {
  const std::vector<T> values = exerciseData(exercise, extent, {seed});
  DeviceArray<T> data(values.size(), "data");
  DeviceArray<T> results(exercise.reference(values, extent).size(), "results");
  data.copyFromHost(values.data());
  results.poison();
#ifdef GPU_BACKEND
  exercise.call(data.data(), results.data(), extent);
  CUDA_CHECK(cudaDeviceSynchronize());
#else
  const simt::WithSettings settings(impatient(simt::settings(), extent));
  exercise.call(data.data(), results.data(), extent);
#endif
}

// Shows what the kernel prints, if it does, of one small launch.
template <typename T>
void showPrints(const Exercise<T>& exercise, const Options& options) {
  constexpr unsigned most = 200;  // lines
  const Extent extent = smallExtent(exercise, options);
  const std::string text = printedBy([&] {
#ifdef GPU_BACKEND
    launchOnce(exercise, extent, options.seed);
#else
    const simt::WithSettings settings(executorSettings(options));
    try {
      launchOnce(exercise, extent, options.seed);
    } catch (const simt::Fault&) {
      // It will be found again, and reported.
    }
#endif
  });
  if (text.empty()) return;
  std::cout << "The kernel prints, for " << extent.text() << ":\n";
  std::istringstream lines(text);
  unsigned count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    if (count < most) std::cout << line << '\n';
  if (count > most) std::cout << "… and " << count - most << " lines more\n";
}

#ifdef GPU_BACKEND

// Prints the median times of the exercise as it came, now and solved, and of the lesson's kernel,
// samples in turn. Leaves them in the report.
template <typename T>
void timeAll(const Exercise<T>& exercise, Extent extent, const std::string& lessonName,
             const KernelCall<T>& lessonCall, const Options& options, Report& report) {
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
  std::vector<Task> tasks;
  if (exercise.start) tasks.push_back(taskOf("exercise.cuh as it came", exercise.start));
  tasks.push_back(taskOf("exercise.cuh now", exercise.call));
  if (exercise.solution) tasks.push_back(taskOf("solution.cuh", exercise.solution));
  tasks.push_back(taskOf(lessonName, lessonCall));
  report.n = extent.elements();
  report.block = extent.block;
  report.cache = "L2 flushed before each sample";
  {
    const SilentOutput silence;
    report.steps = stopwatch.measure(tasks, samplingOf(options));
  }
  std::cout << "medians of " << options.samples << " interleaved samples, " << extent.text()
            << ", L2 flushed before each:\n\n";
  Table table;
  table.add({"kernel", "ms (min–max)", "GB/s"});
  for (const StepResult& step : report.steps) {
    const Spread s = spreadOf(step.kernelMs);
    const double bytes = double(sizeof(T)) * double(extent.elements());
    table.add({step.name, fmt::format("{:.4f} ({:.4f}–{:.4f})", s.median, s.min, s.max),
               fixed(bytes / s.median * 1e-6, 0)});
  }
  table.print();
  std::cout << "\nbuild/cpu/" << exercise.program << " --exercise counts the goals\n";
}

#else

// Yours, beside what it came as.
template <typename T>
int exploreExercise(const Options& options, Exercise<T> exercise) {
  if (!options.named.empty())
    throw Error(exitUsage, "--step: not with --exercise, which shows exercise.cuh");
  const Extent extent = smallExtent(exercise, options);
  if (extent.elements() > 1 << 20)
    throw Error(exitUsage, "--n: at most 2^20 with --explore, which shows the first blocks");
  const Extent timed = estimatedExtent(exercise, options);
  exercise.data = {[](uint32_t bits, size_t) { return T(bits % 10); }};  // to be read with ease
  const auto explored = [&](const std::string& title, const Exercise<T>& one) {
    return Explored{.title = title,
                    .about = extent.text(),
                    .launch = [=, seed = options.seed] { launchOnce(one, extent, seed); },
                    .timed =
                        [=] {
                          const simt::WithSettings settings(impatient(simt::settings(), timed));
                          launchUnchecked(one.call, timed);
                        },
                    .timedAbout = timed.text()};
  };
  std::vector<Explored> launches;
  if (exercise.start) {
    Exercise<T> start = exercise;
    start.call = [call = exercise.start](T* data, T* results, Extent given) {
      simt::setKernelName("exercise");  // without the namespace that keeps them apart
      call(data, results, given);
      simt::setKernelName("");
    };
    launches.push_back(explored("as it came", start));
    launches.back().isStart = true;
  }
  launches.push_back(explored(exercise.program + "/exercise.cuh", exercise));
  return writeExplorePage(options, std::move(launches));
}

template <typename T>
int drawExercise(const Options& options, const Exercise<T>& exercise) {
  const Extent extent = smallExtent(exercise, options);
  const std::string about =
      fmt::format("1 block of {} threads, {} elements", extent.block, extent.n);
  return drawLaunch(options, "exercise", about, extent.block,
                    [&] { launchOnce(exercise, extent, options.seed); });
}

template <typename T>
int drawExerciseTimeline(const Options& options, const Exercise<T>& exercise) {
  const Extent extent = estimatedExtent(exercise, options);
  return drawTimeline(options, "exercise.cuh", extent.text(),
                      [&] { launchUnchecked(exercise.call, extent); });
}

// Every counter of the exercise, beside those of the lesson's kernel.
template <typename T>
void printExerciseCounters(const Exercise<T>& exercise, const std::string& lessonName,
                           const KernelCall<T>& lessonCall, const Options& options) {
  Extent extent = exercise.counted.at(0);
  extent.n = options.n.value_or(extent.n);
  if (options.blockGiven) extent.block = options.block;
  const std::vector<T> values = exerciseData(exercise, extent, {options.seed});
  const size_t count = exercise.reference(values, extent).size();
  Report report{.program = exercise.program, .n = extent.elements(), .block = extent.block};
  const auto add = [&](const std::string& name, const KernelCall<T>& call) {
    DeviceArray<T> data(values.size(), "data");
    DeviceArray<T> results(std::max(count, values.size() / 32 + 1), "results");
    data.copyFromHost(values.data());
    const simt::WithSettings settings(executorSettings(options));
    simt::takeCounters();
    call(data.data(), results.data(), extent);
    report.steps.push_back({.lesson = exercise.program,
                            .name = name,
                            .blocks = simt::position().blocks,
                            .counters = simt::takeCounters()});
  };
  add("exercise.cuh", exercise.call);
  add(lessonName, lessonCall);
  std::cout << "\nAt " << extent.text() << ":\n";
  printCounters(report, {.all = true});
}

#endif

// Prints whether the results are right, at what extents. Throws Error when one is wrong.
template <typename T>
void checkResults(const Options& options, const Exercise<T>& exercise) {
  std::cout << "results: " << std::flush;
  std::optional<unsigned> block;
  if (options.blockGiven) block = options.block;
  const std::vector<Extent> extents = extentsOf(exercise, options.n, block);
  Trial trial{.seed = options.seed};
#ifndef GPU_BACKEND
  trial.executor = impatient(executorSettings(options), {options.n.value_or(0)});
#endif
  const std::string mistake = firstMistake(exercise, extents, trial);
  std::cout << (mistake.empty() ? "right" : "wrong; the goals wait until they are right\n")
            << std::flush;
  if (!mistake.empty()) throw Error(exitWrong, mistake);
  std::cout << ", from " << extents.front().text() << " to " << extents.back().text();
}

// Checks, and grades. Returns the exit code; throws Error when a result is wrong.
template <typename T>
int runExercise(const Options& options, const Exercise<T>& exercise, const std::string& lessonName,
                const KernelCall<T>& lessonCall) {
  const Exercise<T> silent = silenced(exercise);
#ifndef GPU_BACKEND
  checkCard(options);
  if (!options.explore.empty()) return exploreExercise(options, silent);
  if (options.modeFileOf == "--timeline") return drawExerciseTimeline(options, silent);
  if (!options.modeFile.empty()) return drawExercise(options, silent);
#endif
  Report report = startReport(options, exercise.program);
  if (options.n)  // throws when it does not fit
    chooseN(options.n, 0, report.machine,
            [&](uint64_t n) { return Workspace::needs(n, options.block, report.machine); });
  if (thisBackend == Backend::cpu && !options.json.empty())
    throw Error(exitUsage, "--json: --exercise writes no result file without a GPU");
  ResultFile file(options.json);
  printMachine(report);
  std::cout << "\nExercise (" << exercise.program << "/exercise.cuh): " << exercise.task << '\n';
  showPrints(exercise, options);
  checkResults(options, silent);
#ifdef GPU_BACKEND
  std::cout << '\n';
  Extent timed = exercise.timed;
  timed.n = options.n.value_or(timed.n);
  if (options.blockGiven) timed.block = options.block;
  if (timed.n > 0) timeAll(exercise, timed, lessonName, lessonCall, options, report);
  file.write(report);
  return exitRight;
#else
  std::cout << ", under 5 schedules, no fault\n";
  if (!simt::instrumented()) {
    std::cout << "built with sanitizers: the executor counts no goals\n";
    return exitRight;
  }
  const size_t met = gradeGoals(silent), all = exercise.goals.size();
  std::cout << (met == all ? "all" : fmt::format("{} of {}", met, all)) << " goals met\n"
            << std::flush;
  if (options.allCounters) printExerciseCounters(silent, lessonName, lessonCall, options);
  printExerciseEstimates(silent, lessonName, lessonCall, options);
  return met == all ? exitRight : exitWrong;
#endif
}

}  // namespace

template <typename T>
Mode exerciseMode(const Exercise<T>& exercise, const std::string& lessonName,
                  const KernelCall<T>& lessonCall) {
  Mode mode{.flag = "--exercise",
            .help = "check and grade the kernel in exercise.cuh",
            .run = [=](const Options& options) {
              return runExercise(options, exercise, lessonName, lessonCall);
            }};
  mode.explore = true;
  mode.takesFileOf = {"--svg", "--timeline"};
  mode.leaveOut.emplace_back("--fast", "looks for faults and counts its goals");
  for (const std::string option : {"--rows", "--cols", "--batch"})
    mode.leaveOut.emplace_back(option, "chooses its own sizes");
  return mode;
}

Mode exerciseMode(const Exercise<int>& exercise, const Step& lessonStep) {
  return exerciseMode(exercise, lessonStep.name, callOf(lessonStep));
}

template Mode exerciseMode(const Exercise<int>&, const std::string&, const KernelCall<int>&);
template Mode exerciseMode(const Exercise<double>&, const std::string&, const KernelCall<double>&);
