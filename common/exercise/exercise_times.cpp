// The times of an exercise on a GPU. For the gpu backend only.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "base/table.h"
#include "base/text.h"
#include "cuda/device_array.h"
#include "exercise/exercise_run.h"
#include "exercise/kernel_prints.h"
#include "exercise/trial.h"
#include "measure/device_stopwatch.h"
#include "program/run.h"

template <typename T>
void timeAll(const ExerciseRun<T>& run, Extent extent, Report& report) {
  const Options& options = run.options;
  const Exercise<T>& exercise = run.exercise;
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
  tasks.push_back(taskOf(run.lessonName, run.lessonCall));
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

template void timeAll(const ExerciseRun<int>&, Extent, Report&);
template void timeAll(const ExerciseRun<double>&, Extent, Report&);
