// What an exercise would take on a card: as it came, as it is in exercise.cuh now, and solved.
#include <fmt/core.h>

#include <iostream>

#include "base/table.h"
#include "base/text.h"
#include "cuda/device_array.h"
#include "exercise/grader.h"
#include "program/estimates.h"
#include "program/recorded_kernels.h"

template <typename T>
Extent estimatedExtent(const Exercise<T>& exercise, const Options& options) {
  Extent extent = exercise.timed;
  extent.n = options.n.value_or(extent.columns > 0 ? extent.n : size_t(1) << 28);
  if (options.blockGiven) extent.block = options.block;
  return extent;
}

template <typename T>
void launchUnchecked(const KernelCall<T>& call, Extent extent) {
  DeviceArray<T> data(extent.elements(), "data"), results(extent.elements(), "results");
  call(data.data(), results.data(), extent);
}

template <typename T>
void printExerciseEstimates(const Exercise<T>& exercise, const std::string& lessonName,
                            const KernelCall<T>& lessonCall, const Options& options) {
  if (!options.estimate) return;
  const Extent extent = estimatedExtent(exercise, options);
  if (extent.n == 0) return;
  const std::string start = "exercise.cuh as it came", now = "exercise.cuh now";
  std::vector<EstimatedTask> tasks;
  const auto addTask = [&](const std::string& name, const KernelCall<T>& call) {
    if (!call) return;
    tasks.push_back({name, [&call, &extent] { launchUnchecked(call, extent); }});
  };
  addTask(start, exercise.start);
  addTask(now, exercise.call);
  addTask("solution.cuh", exercise.solution);
  addTask(lessonName, lessonCall);
  Report report{.program = exercise.program, .block = extent.block};
  for (const EstimatedTask& task : tasks)
    report.steps.push_back(
        {.lesson = exercise.program,
         .name = task.step,
         .basedOn = exercise.start && task.step != start && task.step != lessonName ? start : ""});
  addEstimates(report, tasks, extent.elements(), options);
  std::cout << '\n';
  printEstimates(
      report, options,
      [&](const std::string& step) {
        return step == lessonName && countsAsRecorded(step, [&] {
                 launchUnchecked(lessonCall, {recordedLength, recordedBlock});
               });
      },
      "× as it came");
}

template void printExerciseEstimates(const Exercise<int>&, const std::string&,
                                     const KernelCall<int>&, const Options&);
template void printExerciseEstimates(const Exercise<double>&, const std::string&,
                                     const KernelCall<double>&, const Options&);

template Extent estimatedExtent(const Exercise<int>&, const Options&);
template Extent estimatedExtent(const Exercise<double>&, const Options&);
template void launchUnchecked(const KernelCall<int>&, Extent);
template void launchUnchecked(const KernelCall<double>&, Extent);
