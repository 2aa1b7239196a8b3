#include "program/lesson.h"

#include <algorithm>
#include <iostream>

#include "base/program_main.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "cuda/device.h"
#include "measure/workspace.h"
#include "program/run.h"
#ifndef GPU_BACKEND
#include "program/estimates.h"
#include "program/recorded_kernels.h"
#endif
#include "report/result_file.h"
#include "report/tables.h"

namespace {

constexpr bool onGpu = thisBackend == Backend::gpu;

// Takes those away that cannot run here. Returns their names.
std::string takeSkipped(std::vector<Step>& steps) {
  const auto skipped = std::stable_partition(steps.begin(), steps.end(),
                                             [](const Step& step) { return step.runsHere(); });
  std::string names;
  for (auto step = skipped; step != steps.end(); ++step)
    names += (names.empty() ? "" : ", ") + step->name;
  steps.erase(skipped, steps.end());
  return names;
}

// Of the shapes that only read, the fastest is the roof.
void keepFastestRoof(std::vector<StepResult>& steps) {
  const auto isRoof = [](const StepResult& step) { return step.role == Role::roof; };
  const auto first = std::ranges::find_if(steps, isRoof);
  if (first == steps.end()) return;
  StepResult fastest = *first;
  for (const StepResult& step : steps)
    if (isRoof(step) && spreadOf(step.kernelMs).median < spreadOf(fastest.kernelMs).median)
      fastest = step;
  fastest.name = "read and discard";
  *first = fastest;
  steps.erase(std::remove_if(first + 1, steps.end(), isRoof), steps.end());
}

Input makeInputWithProgress(const std::string& program, uint64_t n, uint64_t seed) {
  Progress progress(program);
  progress.show("making the input");
  return makeInput(n, seed);
}

#ifndef GPU_BACKEND
// For the n of a GPU, whatever was counted here.
void estimateSteps(Report& report, const std::vector<Step>& steps, const Options& options) {
  const uint64_t n = options.n.value_or(uint64_t(1) << 28);
  std::vector<EstimatedTask> tasks;
  for (const Step& step : steps)
    if (step.estimable) tasks.push_back(estimatedTaskOf(step, n, options.block));
  addEstimates(report, tasks, n, options);
  printEstimates(report, options,
                 [&](const std::string& step) { return countsAsRecorded(findStep(steps, step)); });
}
#endif

int runSteps(const Options& options, const Lesson& lesson) {
#ifndef GPU_BACKEND
  checkCard(options);
#endif
  Report report = startReport(options, lesson.program);
  ResultFile file(options.json);
  const auto needs = [&](uint64_t n) { return Workspace::needs(n, options.block, report.machine); };
  report.n = chooseN(options.n, uint64_t(1) << (onGpu ? 28 : 20), report.machine, needs);
  std::vector<Step> steps = lesson.steps;
#ifdef GPU_BACKEND
  for (const Step& step : roofSteps()) steps.push_back(step);
  for (const Step& step : librarySums()) steps.push_back(step);
  report.cache = "L2 flushed before each sample";
#endif
  printHeader(report);
  const std::string skipped = takeSkipped(steps);

  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  const Input input = makeInputWithProgress(lesson.program, report.n, options.seed);
  Workspace workspace(input, options.block);
  std::vector<Task> tasks;
  for (const Step& step : steps) tasks.push_back(workspace.taskFor(step));
  report.steps = stopwatch.measureApart(tasks, samplingOf(options));
  keepFastestRoof(report.steps);

  printReport(report, options, lesson.perBlock);
  std::cout << std::flush;  // what follows takes longer
#ifndef GPU_BACKEND
  estimateSteps(report, steps, options);
#endif
  if (lesson.afterwards) lesson.afterwards(report, options);
  if (!skipped.empty())
    std::cout << sentence(std::string("skipped, as ") +
                          (onGpu ? "this GPU lacks" : "only a GPU has") +
                          " what it takes: " + skipped);
  std::cout << "sum " << input.sum << (report.allRight() ? ": every step is right\n" : "\n")
            << std::flush;
  file.write(report);
  return complain(report);
}

}  // namespace

int runLesson(int argc, char** argv, const Lesson& lesson) {
  return runProgram(lesson.program, [&]() -> int {
    const auto options = parseOptions(argc, argv,
                                      {.program = lesson.program,
                                       .backend = thisBackend,
                                       .usualN = onGpu ? "2^28" : "2^20",
                                       .modes = lesson.modes,
                                       .explores = lesson.explore != nullptr});
    if (!options) return exitRight;
    for (const Mode& mode : lesson.modes)
      if (mode.flag == options->mode) return mode.run(*options);
    if (!options->explore.empty()) return lesson.explore(*options, lesson.steps, lesson.program);
    return runSteps(*options, lesson);
  });
}
