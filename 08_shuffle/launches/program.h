// The program: small sums by each way to launch them, where launches count, and a large one, where
// bytes do.
#pragma once

#include <iostream>
#include <map>

#include "base/counts.h"
#include "base/format.h"
#include "base/table.h"
#include "measure/input.h"
#include "measure/memory_budget.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"
#include "ways.h"

inline const std::string program = "launches";
inline constexpr bool onGpu = thisBackend == Backend::gpu;
inline const std::vector<uint64_t> smallLengths = {1 << 10, 1 << 12, 1 << 14, 1 << 16};

// How the launches of a small sum come, 20 of them one after the other.
struct LaunchState {
  std::string name, meaning;
  Before before;
};
inline std::vector<LaunchState> launchStates() {
  return {
      {"queued", "all are queued before the first runs: what the GPU takes", Before::queued},
      {"as issued", "the GPU begins when the first is there: what the slower takes, GPU or host",
       Before::idle}};
}

inline int64_t expectedOf(const Way& way, const int* values, size_t n) {
  int64_t expected = 0;
  for (size_t i = 0; i < n; ++i)
    expected += way.squares ? int64_t(values[i]) * values[i] : int64_t(values[i]);
  return expected;
}

// The tasks of all ways that this machine has. where and result are theirs to change.
inline std::vector<Task> tasksFor(Ways& ways, const int* values, size_t n, const std::string& cache,
                                  const long long*& where, long long& result) {
  std::vector<Task> tasks;
  std::map<bool, int64_t> expected;
  for (const Way& way : ways.all()) {
    if (!way.run) continue;
    if (!expected.contains(way.squares)) expected[way.squares] = expectedOf(way, values, n);
    tasks.push_back(
        {.step = {.lesson = way.role == Role::library || way.squares ? "CUB" : "08_shuffle",
                  .name = way.name,
                  .role = way.role,
                  .basedOn = way.basedOn,
                  .expected = expected[way.squares],
                  .n = n,
                  .cache = cache},
         .prepare = [&where] { where = nullptr; },
         .run = [&where, way] { where = way.run(); },
         .finish = [&where, &result] { copyToHost(&result, where, 1); },
         .check =
             [&result](StepResult& step) {
               step.result = result;
               step.ok = step.ok && result == step.expected;
             }});
  }
  return tasks;
}

// What cannot run here, by name.
inline std::string skippedHere(Ways& ways) {
  std::string skipped;
  for (const Way& way : ways.all())
    if (!way.run) skipped += (skipped.empty() ? "" : "; ") + way.name;
  return skipped;
}

inline void runLength(Stopwatch& stopwatch, const Options& options, Report& report,
                      const DeviceArray<int>& data, const Input& input, uint64_t n, bool large) {
  Ways ways(data.data(), n, large);
  const long long* where = nullptr;
  long long result = 0;
  Sampling sampling = samplingOf(options);
  sampling.shuffled = true;
  const auto measure = [&](const std::string& cache) {
    std::vector<Task> tasks = tasksFor(ways, input.values.get(), n, cache, where, result);
#ifdef GPU_BACKEND
    if (!large)
      tasks.push_back({.step = {.lesson = "roof",
                                .name = "empty kernel",
                                .role = Role::roof,
                                .n = n,
                                .cache = cache},
                       .run = launchNothing});
#endif
    for (StepResult& step : stopwatch.measure(tasks, sampling))
      report.steps.push_back(std::move(step));
  };
  if (large || !onGpu) return measure(report.cache);
  // With one sample it is results that are looked at, as under compute-sanitizer, and not times.
  sampling.launches = options.samples > 1 ? 20 : 1;
  for (const LaunchState& state : launchStates()) {
    sampling.before = state.before;
    measure(state.name);
  }
}

// Small sums in microseconds: a row for each way, a column for each length.
inline void printSmall(const Report& report) {
  for (const LaunchState& state : launchStates()) {
    std::cout << state.name << ": " << state.meaning << '\n';
    std::map<std::string, Table::Row> rows;
    std::vector<std::string> order;
    Table table;
    Table::Row head = {"µs for each sum"};
    for (const uint64_t n : smallLengths) head.push_back(countName(n));
    table.add(head);
    for (const StepResult& step : report.steps) {
      if (step.cache != state.name) continue;
      if (!rows.contains(step.name)) order.push_back(step.name);
      Table::Row& row = rows[step.name];
      if (row.empty()) row.push_back(step.name);
      row.push_back(timeAndSpreadInMicroseconds(step.kernelMs));
    }
    for (const std::string& name : order) table.add(rows[name]);
    table.print();
    std::cout << '\n';
  }
}

inline void printLarge(const Report& report) {
  Report large = report;
  std::erase_if(large.steps, [&](const StepResult& step) { return step.n != report.n; });
  if (onGpu)
    printTimes(large);
  else
    printWholeCounters(large);
}

// The body of the program: --n is the large length. Returns the exit code; throws Error.
inline int launches(const Options& options) {
  Report report = startReport(options, program);
  ResultFile file(options.json);
  report.block = 0;
  if (options.blockGiven) throw Error(exitUsage, "--block: launches chooses its own");
  report.cache = "L2 flushed before each sample";
  if (options.n && *options.n >= uint64_t(1) << 31)
    throw Error(exitUsage, "--n " + countName(*options.n) + ": launches takes up to 2^31 - 1");
  report.n = chooseN(options.n, uint64_t(1) << (onGpu ? 28 : 16), report.machine, [&](uint64_t n) {
    return needsOf(8.0 * double(n), 4.0 * double(n), report.machine);
  });
  printHeader(report);
  const size_t most = std::max<size_t>(report.n, smallLengths.back());
  const Input input = makeInput(most, options.seed);
  DeviceArray<int> data(most, "input");
  data.copyFromHost(input.values.get());
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  Ways some(data.data(), 1024, false);
  if (const std::string skipped = skippedHere(some); !skipped.empty())
    std::cout << "Not here: " << skipped << (onGpu ? "" : ". They need a GPU") << ".\n";
#ifdef GPU_BACKEND
  std::cout << "CUB " << cubVersion() << '\n';
#endif
  std::cout << '\n';
  if (onGpu)
    for (const uint64_t n : smallLengths)
      runLength(stopwatch, options, report, data, input, n, false);
  if (onGpu) printSmall(report);
  runLength(stopwatch, options, report, data, input, report.n, true);
  printLarge(report);
  std::cout << (report.allRight() ? "every sum is right\n" : "") << std::flush;
  file.write(report);
  return complain(report);
}
