// The program of a set of kernels: times on a GPU, counts without one; or each launched once, for
// the profiler, kernel after kernel, under the names that are printed.
#pragma once

#include <iostream>

#include "base/format.h"
#include "base/program_main.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"
#include "sets.h"

inline int launchOnce(const Options& options, const std::string& program, MakeSet makeSet) {
  startReport(options, program);
  const LaunchSet set = makeSet(options.n.value_or(1 << 25), true);
  for (const Task& task : set.tasks) {
    std::cout << "launch " << task.step.name << "\n";
    task.prepare();
    task.run();
  }
  return exitRight;
}

inline int runSet(int argc, char** argv, const std::string& program, MakeSet makeSet) {
  return runProgram(program, [&]() -> int {
    const auto once = [&](const Options& options) { return launchOnce(options, program, makeSet); };
    const auto options = parseOptions(
        argc, argv,
        {.program = program,
         .backend = thisBackend,
         .usualN = "2^25",
         .modes = {{.flag = "--once", .help = "launch each once, for the profiler", .run = once}}});
    if (!options) return exitRight;
    if (const uint64_t n = options->n.value_or(1 << 25); n < 1 << 14 || (n & (n - 1)) != 0)
      throw Error(exitUsage, "--n: a power of two from 2^14 on");
    if (options->mode == "--once") return once(*options);
    Report report = startReport(*options, program);
    ResultFile file(options->json);
    report.n = options->n.value_or(thisBackend == Backend::gpu ? 1 << 25 : 1 << 14);
    report.block = 0;
    report.cache = "L2 flushed before each sample";
    const LaunchSet set = makeSet(report.n, true);
    DeviceStopwatch stopwatch = stopwatchFor(*options, report);
    report.steps = stopwatch.measure(set.tasks, samplingOf(*options));
    if (thisBackend == Backend::gpu)
      printTimes(report);
    else
      printWholeCounters(report);
    file.write(report);
    return complain(report);
  });
}
