// What an exercise would take on a card: as it came, as it is in exercise.cuh now, and solved.
#include <fmt/core.h>

#include <iostream>

#include "base/table.h"
#include "base/text.h"
#include "exercise/exercise_run.h"
#include "program/estimates.h"
#include "program/recorded_kernels.h"

template <typename T>
void printExerciseEstimates(const ExerciseRun<T>& run) {
  const Options& options = run.options;
  const Exercise<T>& exercise = run.exercise;
  if (!options.estimate) return;
  const Extent extent = run.estimatedExtent();
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
  addTask(run.lessonName, run.lessonCall);
  Report report{.program = exercise.program, .block = extent.block};
  for (const EstimatedTask& task : tasks)
    report.steps.push_back(
        {.lesson = exercise.program,
         .name = task.step,
         .basedOn =
             exercise.start && task.step != start && task.step != run.lessonName ? start : ""});
  addEstimates(report, tasks, extent.elements(), options);
  std::cout << '\n';
  printEstimates(
      report, options,
      [&](const std::string& step) {
        return step == run.lessonName && countsAsRecorded(step, [&] {
                 launchUnchecked(run.lessonCall, {recordedLength, recordedBlock});
               });
      },
      "× as it came");
}

template void printExerciseEstimates(const ExerciseRun<int>&);
template void printExerciseEstimates(const ExerciseRun<double>&);
