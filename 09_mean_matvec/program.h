// The program of lesson 09: measures versions beside the CPU and compares every value.
#pragma once

#include "base/format.h"

#include <iostream>

#include "base/progress.h"
#include "measure/memory_budget.h"
#include "program/run.h"
#ifndef GPU_BACKEND
#include "program/estimates.h"
#endif
#include "report/result_file.h"
#include "report/tables.h"
#include "versions.h"

inline const std::string program = "09_mean_matvec";
inline constexpr bool onGpu = thisBackend == Backend::gpu;

// Throws Error (exitUsage) when the sizes need more memory than there is.
inline void checkMemory(Sizes s, const Machine& machine) {
  const double inputs = 8 * (double(s.rows) * s.columns * s.batch + double(s.rows) * s.rows);
  const double results = 8 * 2 * double(s.rows) * s.batch;
  const Needs needs = needsOf(inputs + results, inputs + 3 * results, machine);
  if (!needs.fit(machine))
    needs.refuse(fmt::format("--rows {} --cols {} --batch {}", s.rows, s.columns, s.batch), machine,
                 "choose smaller sizes");
}

inline void describe(Report& report, Sizes sizes) {
  report.type = "double";
  report.block = unsigned(blockFor(sizes).x);
  report.cache = "L2 flushed before each sample";
  report.sizes = {{"rows", sizes.rows}, {"cols", sizes.columns}, {"batch", sizes.batch}};
  report.n = uint64_t(sizes.rows) * sizes.columns * sizes.batch;
  printMachine(report);
  std::cout << fmt::format("{} matrices of {} × {} doubles ({:g} MB), seed {}", sizes.batch,
                           sizes.rows, sizes.columns, double(report.n) * 8e-6, report.seed);
  if (onGpu)
    std::cout << fmt::format(", medians of up to {} samples, {}", report.samples, report.cache);
  std::cout << "\n\n";
}

// Three runs on the CPU, the first to warm up; then the versions in turn, no more than three
// samples of the slow ones.
inline std::vector<StepResult> measureAll(const Options& options, const Report& report,
                                          Problem& problem, const std::vector<Version>& versions) {
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  std::vector<StepResult> steps =
      stopwatch.measure({problem.taskFor("CPU, one core", "", meanMatvecSerial),
                         problem.taskFor("CPU, all cores", "CPU, one core", meanMatvecAllCores)},
                        {.samples = 2, .warmUps = 1});
  std::vector<Task> tasks;
  for (const Version& version : versions) tasks.push_back(problem.taskFor(version));
  Sampling sampling = samplingOf(options);
  sampling.slowMs = 100;
  for (StepResult& step : stopwatch.measure(tasks, sampling)) steps.push_back(std::move(step));
  return steps;
}

#ifndef GPU_BACKEND
// What a GPU gets where no sizes are given.
inline constexpr Sizes usualSizes{512, 512, 1024};

// A launch to estimate a version by, on arrays of its own; or nothing: the executor would have to
// run all of version 1's only block, and takes streams one after the other.
inline std::function<void()> estimatedLaunchOf(const Version& version, Sizes s) {
  if (version.run == runOneBlock || version.run == runOverlapped) return {};
  return [s, version] {
    const size_t means = size_t(s.rows) * s.batch;
    DeviceArray<double> matrices(means * s.columns, "matrices"),
        matrix(size_t(s.rows) * s.rows, "matrix"), mean(means, "means"), result(means, "result");
    version.run({matrices.data(), matrix.data(), mean.data(), result.data(), s});
  };
}

inline void estimateVersions(Report& report, const Options& options, Sizes sizes,
                             const std::vector<Version>& versions) {
  const Sizes s = options.sizesGiven ? sizes : usualSizes;
  std::vector<EstimatedTask> tasks;
  for (const Version& version : versions)
    if (const auto launch = estimatedLaunchOf(version, s)) tasks.push_back({version.name, launch});
  Report estimated = report;
  estimated.block = unsigned(blockFor(s).x);
  addEstimates(estimated, tasks, uint64_t(s.rows) * s.columns * s.batch, options, true);
  for (size_t i = 0; i < report.steps.size(); ++i)
    report.steps[i].estimate = estimated.steps[i].estimate;
  std::cout << fmt::format("\n{} matrices of {} × {} doubles:\n", s.batch, s.rows, s.columns);
  printEstimates(estimated, options, [](const std::string&) { return false; });
}
#endif

// The body of the program. Returns the exit code; throws Error.
inline int meanMatvec(const Options& options, const std::vector<Version>& versions) {
  const Sizes sizes{unsigned(options.sizes[0]), unsigned(options.sizes[1]),
                    unsigned(options.sizes[2])};
#ifndef GPU_BACKEND
  checkCard(options);
#endif
  Report report = startReport(options, program);
  ResultFile file(options.json);
  checkMemory(sizes, report.machine);
  describe(report, sizes);
  std::optional<Progress> progress(std::in_place, program);
  progress->show("making the input");
  Problem problem(sizes, report.seed);
  progress.reset();
  report.steps = measureAll(options, report, problem, versions);
  if (onGpu) {
    printTimes(report);
  } else {
    printWholeCounters(report);
    std::cout << fmt::format(
        "\nCPU: one core {:.3f} ms, all cores {:.3f} ms\n"
        "skipped, as only a GPU has what it takes: all steps with cuBLAS\n",
        spreadOf(report.steps[0].kernelMs).median, spreadOf(report.steps[1].kernelMs).median);
#ifndef GPU_BACKEND
    if (options.estimate) estimateVersions(report, options, sizes, versions);
#endif
  }
  std::cout << (report.allRight() ? "every value is right: relative errors below 1e-12\n" : "")
            << std::flush;
  file.write(report);
  return complain(report);
}
