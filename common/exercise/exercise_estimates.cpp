// What an exercise would take on a card: of what is in exercise.cuh now, and of the kernel beside
// it.
#include <fmt/core.h>

#include <iostream>

#include "base/table.h"
#include "base/text.h"
#include "cuda/device_array.h"
#include "exercise/grader.h"
#include "program/estimates.h"
#include "program/recorded_kernels.h"

// Nobody asks what the results are.
template <typename T>
static void launchOn(const KernelCall<T>& call, Extent extent) {
  DeviceArray<T> data(extent.elements(), "data"), results(extent.elements(), "results");
  call(data.data(), results.data(), extent);
}

template <typename T>
void printExerciseEstimates(const Exercise<T>& exercise, const std::string& lessonName,
                            const KernelCall<T>& lessonCall, const Options& options) {
  if (!options.estimate) return;
  Extent extent = exercise.timed;
  extent.n = options.n.value_or(extent.columns > 0 ? extent.n : size_t(1) << 28);
  if (options.blockGiven) extent.block = options.block;
  if (extent.n == 0) return;
  std::vector<EstimatedTask> tasks;
  const auto addTask = [&](const std::string& name, const KernelCall<T>& call) {
    if (!call) return;
    tasks.push_back({name, [&call, &extent] { launchOn(call, extent); }});
  };
  addTask("exercise.cuh now", exercise.call);
  addTask("all goals met", exercise.goal);
  addTask(lessonName, lessonCall);
  Report report{.program = exercise.program, .block = extent.block};
  for (const EstimatedTask& task : tasks)
    report.steps.push_back({.lesson = exercise.program, .name = task.step});
  addEstimates(report, tasks, extent.elements(), options);
  std::cout << '\n';
  printEstimates(report, [&](const std::string& step) {
    return step == lessonName && countsAsRecorded(step, [&] {
             launchOn(lessonCall, {recordedLength, recordedBlock});
           });
  });
}

template void printExerciseEstimates(const Exercise<int>&, const std::string&,
                                     const KernelCall<int>&, const Options&);
template void printExerciseEstimates(const Exercise<double>&, const std::string&,
                                     const KernelCall<double>&, const Options&);
