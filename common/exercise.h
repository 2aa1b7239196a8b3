// --exercise: a lesson's exercise grades itself. The kernel in exercise.cuh runs at awkward lengths
// and is compared with a loop on the CPU. The executor also looks for faults under several
// schedules, and counts how far the goals are; a GPU times it beside one of the lesson's kernels.
#pragma once

#include <cmath>
#include <functional>
#include <span>

#include "lesson.h"

inline const Mode exerciseMode{"--exercise", "check and grade the kernel in exercise.cuh"};

// What a launch works on: an array of n elements, or a matrix of n rows.
struct Extent {
  size_t n;
  unsigned block = 512;
  size_t columns = 0;  // of a matrix, else 0

  size_t elements() const { return columns > 0 ? n * columns : n; }
  std::string text() const {
    return columns > 0 ? std::to_string(n) + " × " + std::to_string(columns)
                       : "n = " + countName(n) + ", block " + std::to_string(block);
  }
};

// The counters of a launch, and what to divide them by.
struct Count : Counters {
  double blocks, elements;
};

struct Goal {
  std::string what;
  std::function<double(const Count& c)> value;
  double atMost;
  unsigned block = 512;  // the block size at which it is counted
};

inline Goal perBlock(const std::string& what, uint64_t Counters::*counter, double atMost,
                     unsigned block = 512) {
  return {what + " per block of " + std::to_string(block),
          [counter](const Count& c) { return double(c.*counter) / c.blocks; }, atMost, block};
}

inline Goal perThousand(const std::string& what, double (*counter)(const Counters& c),
                        double atMost) {
  return {what + " per 1,000 elements",
          [counter](const Count& c) { return counter(c) / c.elements * 1000; }, atMost};
}

// Device pointers; launches nothing where there is nothing to do.
template <typename T>
using Launch = std::function<void(T* data, T* results, Extent extent)>;

template <typename T>
struct Exercise {
  std::string program, task;
  Launch<T> launch;
  std::function<std::vector<T>(const std::vector<T>& data, Extent extent)> reference;
  std::vector<Goal> goals;
  unsigned elementsPerThread = 1;    // in a block of the extent that is counted
  T lowest = 0;                      // the data are random integers from lowest to lowest + 255,
                                     // with the other sign where n is odd
  std::vector<Extent> extents = {};  // to check; empty: arrays of awkward lengths
  Extent counted = {1 << 16};        // whole blocks; the goals say of what size
  Extent timed = {1 << 26};
};

// The launch of a kernel with elementsPerThread × block elements for each block.
inline Launch<int> launchOf(const Step& step) {
  return [step](int* data, int* results, Extent s) {
    const auto grid = unsigned(blocksFor(s.n, uint64_t(step.elementsPerThread) * s.block));
    const auto kernel = step.kernelFor ? step.kernelFor(s.block) : step.kernel;
    if (grid > 0) launch(dim3(grid), dim3(s.block), kernel, data, results, s.n);
  };
}

inline Launch<int> launchOf(BlockSumKernel kernel, unsigned elementsPerThread = 1) {
  return launchOf(
      Step{.lesson = "", .name = "", .kernel = kernel, .elementsPerThread = elementsPerThread});
}

// result(part) for each part of so many elements, of which the last one may be shorter.
template <typename Result>
std::vector<int> forEachPart(const std::vector<int>& data, size_t size, Result&& result) {
  std::vector<int> results;
  for (size_t i = 0; i < data.size(); i += size)
    results.push_back(result(std::span(data).subspan(i, std::min(size, data.size() - i))));
  return results;
}

template <typename T>
std::vector<T> exerciseData(const Exercise<T>& exercise, Extent extent, uint64_t seed) {
  const Input input = makeInput(extent.elements(), seed);
  std::vector<T> data(input.values.get(), input.values.get() + input.n);
  for (T& value : data)
    value = extent.n % 2 == 0 ? value + exercise.lowest : -value - exercise.lowest;
  return data;
}

// Runs the kernel once and says what was wrong, or nothing.
template <typename T>
std::string mistakeIn(const Exercise<T>& exercise, Extent extent, uint64_t seed) {
  const std::vector<T> values = exerciseData(exercise, extent, seed);
  const std::vector<T> expected = exercise.reference(values, extent);
  DeviceArray<T> data(values.size(), "data"), results(expected.size(), "results");
  data.copyFromHost(values.data());
  results.poison();
#ifdef __CUDACC__
  exercise.launch(data.data(), results.data(), extent);
#else
  try {
    exercise.launch(data.data(), results.data(), extent);
  } catch (const simt::Fault& fault) {
    return extent.text() + ": " + fault.what();
  }
#endif
  std::vector<T> got(expected.size());
  results.copyToHost(got.data(), got.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::abs(double(got[i]) - double(expected[i])) <= 1e-12 * std::abs(double(expected[i])))
      continue;
    std::ostringstream line;
    line << extent.text() << ": result " << i << " of " << got.size() << " is " << got[i]
         << " instead of " << expected[i];
    return line.str();
  }
  return "";
}

// What is checked: the extents of the exercise, or the n and the block that were asked for.
template <typename T>
std::vector<Extent> extentsOf(const Exercise<T>& exercise, std::optional<uint64_t> n = {},
                              std::optional<unsigned> block = {}) {
  std::vector<Extent> extents = exercise.extents;
  std::vector<size_t> lengths = {0, 1, 31, 32, 33, 511, 512, 513, 997, 4099, (1 << 16) + 7};
  std::vector<unsigned> blocks = {32, 64, 512, 1024};
  if (n) lengths = {*n};
  if (block) blocks = {*block};
  if (extents.empty())
    for (const size_t length : lengths)
      for (const unsigned size : blocks) extents.push_back({length, size});
  return extents;
}

// The first mistake at these extents, or nothing. On the executor under the schedule that is set,
// in reverse, and in three random orders.
template <typename T>
std::string firstMistake(const Exercise<T>& exercise, const std::vector<Extent>& extents,
                         uint64_t seed) {
  std::string mistake;
#ifdef __CUDACC__
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i)
    mistake = mistakeIn(exercise, extents[i], seed);
#else
  using Order = simt::Schedule::Order;
  const simt::Schedule before = simt::settings().schedule;
  const std::vector<std::pair<simt::Schedule, std::string>> schedules = {
      {before, ""},
      {{Order::reverse, 1}, ", --schedule reverse"},
      {{Order::random, 1}, ", --schedule random:1"},
      {{Order::random, 2}, ", --schedule random:2"},
      {{Order::random, 3}, ", --schedule random:3"}};
  for (size_t i = 0; i < extents.size() && mistake.empty(); ++i) {
    for (size_t k = 0; k < schedules.size() && mistake.empty(); ++k) {
      simt::settings().schedule = schedules[k].first;
      mistake = mistakeIn(exercise, extents[i], seed);
      if (!mistake.empty()) mistake += schedules[k].second;
    }
  }
  simt::settings().schedule = before;
#endif
  return mistake;
}

#ifndef __CUDACC__

// What the goal counts. The kernel is known to be right.
template <typename T>
double valueOf(const Exercise<T>& exercise, const Goal& goal) {
  Extent extent = exercise.counted;
  extent.block = goal.block;
  const std::vector<T> values = exerciseData(exercise, extent, 1);
  DeviceArray<T> data(values.size(), "data");
  DeviceArray<T> results(exercise.reference(values, extent).size(), "results");
  data.copyFromHost(values.data());
  simt::takeCounters();
  exercise.launch(data.data(), results.data(), extent);
  const auto elements = double(extent.elements());
  return goal.value(
      {simt::takeCounters(), elements / (exercise.elementsPerThread * extent.block), elements});
}

// Prints each goal and how far it is. Returns how many are met.
template <typename T>
size_t gradeGoals(const Exercise<T>& exercise) {
  const auto number = [](double v) { return fixed(v, v == std::floor(v) ? 0 : v < 1 ? 3 : 1); };
  size_t met = 0;
  for (const Goal& goal : exercise.goals) {
    const double value = valueOf(exercise, goal);
    std::cout << goal.what << ": " << number(value) << ", goal "
              << (goal.atMost > 0 ? "at most " : "") << number(goal.atMost) << ": ";
    if (value <= goal.atMost)
      std::cout << "met\n";
    else
      std::cout << "not yet"
                << (goal.atMost > 0 ? " (" + fixed(value / goal.atMost, 1) + " × too many)" : "")
                << '\n';
    met += value <= goal.atMost;
  }
  return met;
}

#else

// Prints the median times of the exercise and of the lesson's kernel, samples in turn.
template <typename T>
void timeBoth(const Exercise<T>& exercise, Extent extent, const std::string& lessonName,
              const Launch<T>& lessonLaunch, const Options& options, const Machine& machine) {
  const std::vector<T> values = exerciseData(exercise, extent, options.seed);
  const size_t count = exercise.reference(values, extent).size();
  DeviceArray<T> original(values.size(), "input"), data(values.size(), "data");
  DeviceArray<T> results(std::max(count, values.size() / 32 + 1), "results");
  DeviceArray<char> flush(4 * machine.l2Bytes, "the cache flush");
  original.copyFromHost(values.data());
  flush.poison();
  const auto prepare = [&] {
    data.copyFromDevice(original);
    readThroughCache(flush.data(), flush.size());
  };
  std::vector<double> ms[2];
  for (unsigned round = 0; round < options.samples + 3; ++round) {  // three to warm up
    for (const bool lesson : {false, true}) {
      const Launch<T>& run = lesson ? lessonLaunch : exercise.launch;
      const double time = timeKernel(prepare, [&] { run(data.data(), results.data(), extent); });
      if (round >= 3) ms[lesson].push_back(time);
    }
  }
  std::cout << "medians of " << options.samples << " interleaved samples, " << extent.text()
            << ", L2 flushed before each:\n\n";
  Table table;
  table.add({"kernel", "ms (min–max)", "GB/s"});
  for (const bool lesson : {false, true}) {
    const Spread s = spreadOf(ms[lesson]);
    const double bytes = double(sizeof(T)) * double(extent.elements());
    table.add({lesson ? lessonName : "exercise",
               fixed(s.median, 4) + " (" + fixed(s.min, 4) + "–" + fixed(s.max, 4) + ")",
               fixed(bytes / s.median * 1e-6, 0)});
  }
  table.print();
  std::cout << "\nbuild/cpu/" << exercise.program << " --exercise counts the goals\n";
}

#endif

// The body of --exercise: checks, and grades; on a GPU times the exercise beside a kernel of the
// lesson that reads the same data. Returns the exit code; throws Error when a result is wrong.
template <typename T>
int runExercise(const Options& options, const Exercise<T>& exercise,
                [[maybe_unused]] const std::string& lessonName,
                [[maybe_unused]] const Launch<T>& lessonLaunch) {
  if (options.fast || options.allCounters)
    throw Error(exitUsage,
                std::string(options.fast ? "--fast" : "--counters") +
                    ": not with --exercise, which looks for faults and counts its goals");
  if (options.sizeGiven && !exercise.extents.empty())
    throw Error(exitUsage, "--exercise chooses its own sizes: leave them out");
  const Report report = startReport(options, exercise.program);
  if (options.n) chooseN(options, thisBackend, report.machine);  // throws when it does not fit
  if (!options.json.empty()) throw Error(exitUsage, "--json: --exercise writes no result file");
  printMachine(report);
  std::cout << "\nExercise (" << exercise.program << "/exercise.cuh): " << exercise.task << '\n'
            << "results: " << std::flush;

  std::optional<unsigned> block;
  if (options.sizeGiven) block = options.block;
  const std::vector<Extent> extents = extentsOf(exercise, options.n, block);
  const std::string mistake = firstMistake(exercise, extents, options.seed);
  std::cout << (mistake.empty() ? "right" : "wrong; the goals wait until they are right\n")
            << std::flush;
  if (!mistake.empty()) throw Error(exitWrong, mistake);
  std::cout << ", from " << extents.front().text() << " to " << extents.back().text();
#ifdef __CUDACC__
  std::cout << '\n';
  Extent timed = exercise.timed;
  timed.n = options.n.value_or(timed.n);
  timed.block = block.value_or(timed.block);
  if (timed.n > 0) timeBoth(exercise, timed, lessonName, lessonLaunch, options, report.machine);
#else
  std::cout << ", under 5 schedules, no fault\n";
  if (!simt::instrumented()) {
    std::cout << "built with sanitizers: the executor counts no goals\n";
    return exitRight;
  }
  const size_t met = gradeGoals(exercise), all = exercise.goals.size();
  std::cout << (met == all ? "all" : std::to_string(met) + " of " + std::to_string(all))
            << " goals met\n";
#endif
  return exitRight;
}

// The body of a lesson program that has an exercise. Its last step is the one to compare with.
inline int runSteps(int argc, char** argv, const Exercise<int>& exercise,
                    const std::vector<Step>& steps) {
  const auto options = parseLessonOptions(argc, argv, exercise.program, {exerciseMode},
                                          drawnStep(steps) != steps.end());
  if (!options) return exitRight;
  if (options->mode == exerciseMode.flag)
    return runExercise(*options, exercise, steps.back().name, launchOf(steps.back()));
  return runSteps(*options, exercise.program, steps);
}
