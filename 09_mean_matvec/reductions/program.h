// The program: every reduction of one matrix, on a GPU beside the libraries'.
#pragma once

#include <cmath>
#include <functional>
#include <iostream>

#include "base/format.h"
#include "base/random.h"
#include "measure/memory_budget.h"
#include "program/run.h"
#include "reductions.h"
#include "report/result_file.h"
#include "report/tables.h"
#ifdef GPU_BACKEND
#include "library_reductions.h"
#endif

inline const std::string program = "reductions";
inline constexpr bool onGpu = thisBackend == Backend::gpu;

// A matrix of eighths around 164, with many equal elements, and what is right of it.
struct KnownMatrix {
  KnownMatrix(size_t rows, size_t columns, uint64_t seed)
      : rows(rows), columns(columns), values(rows * columns), ofRows(rows), ofColumns(columns) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = 100 + float(randomBits(seed, i) % 1024) / 8;
      if (values[i] < values[smallest]) smallest = i;
      ofRows[i / columns] += values[i];
      ofColumns[i % columns] += values[i];
      sum += values[i];
    }
    mean = sum / double(values.size());
    for (const float x : values) squares += (x - mean) * (x - mean);
    variance = squares / double(values.size());
  }
  size_t rows, columns;
  std::vector<float> values;
  std::vector<double> ofRows, ofColumns;
  size_t smallest = 0;
  double mean = 0, variance = 0;
};

// The matrix on the device, and the tasks that reduce it. Valid as long as the known matrix is.
class Reductions {
 public:
  explicit Reductions(const KnownMatrix& known)
      : known_(known),
        matrix_(known.values.size(), "matrix"),
        sums_(std::max(known.rows, known.columns), "sums"),
        word_(1, "smallest"),
        pair_(1, "mean and variance"),
        got_(std::max(known.rows, known.columns)) {
    matrix_.copyFromHost(known.values.data());
  }

  // The tasks of a table each.
  std::vector<std::vector<Task>> tables() { return {ofAll(), ofRows(), ofColumns()}; }

 private:
  std::vector<Task> ofAll() {
    std::vector<Task> tasks;
    const float* const data = matrix_.data();
    const size_t n = known_.values.size();
#ifdef GPU_BACKEND
    tasks.push_back(smallestTask("cub::DeviceReduce::ArgMin", Role::library,
                                 [=, this] { libraryArgMin(data, n, word_.data()); }));
#endif
    tasks.push_back(smallestTask("the smallest, and where", Role::step,
                                 [=, this] { findSmallest(data, n, word_.data()); }));
#ifdef GPU_BACKEND
    tasks.push_back(momentsTask("cub::DeviceReduce::TransformReduce", Role::library,
                                [=, this] { libraryMoments(data, n, pair_.data()); }));
#endif
    tasks.push_back(momentsTask("mean and variance", Role::step,
                                [=, this] { moments_(data, n, pair_.data()); }));
    return tasks;
  }

  std::vector<Task> ofRows() {
    std::vector<Task> tasks;
    const auto add = [&](const std::string& name, const std::string& basedOn, Role role,
                         size_t chain, std::function<void()> run) {
      tasks.push_back(sumsTask("rows: " + name, basedOn.empty() ? "" : "rows: " + basedOn, role,
                               known_.ofRows, chain, std::move(run)));
    };
    const size_t rows = known_.rows, columns = known_.columns;
    const auto by = [=, this](SumKernel kernel) {
      return [=, this] { sumRows(kernel, matrix_.data(), sums_.data(), rows, columns); };
    };
    add("a thread each", "", Role::step, columns, by(rowPerThread));
    add("a warp each", "a thread each", Role::step, columns / 32, by(rowPerWarp));
    add("a warp each, cg::reduce", "a warp each", Role::step, columns / 32, by(rowPerTile));
    add("a block each", "a warp each", Role::step, columns / 256, by(rowPerBlock));
#ifdef GPU_BACKEND
    for (const LibrarySum& library : libraryRowSums())
      add(library.name, "", Role::library, columns,
          [=, this] { library.sum(matrix_.data(), sums_.data(), rows, columns); });
#endif
    return tasks;
  }

  std::vector<Task> ofColumns() {
    const size_t rows = known_.rows, columns = known_.columns;
    std::vector<Task> tasks = {
        sumsTask("columns: a thread each", "", Role::step, known_.ofColumns, rows,
                 [=, this] { sumColumnsByThreads(matrix_.data(), sums_.data(), rows, columns); }),
        sumsTask("columns: in slices", "columns: a thread each", Role::step, known_.ofColumns, rows,
                 [=, this] { columns_(matrix_.data(), sums_.data(), rows, columns); })};
#ifdef GPU_BACKEND
    for (const LibrarySum& library : libraryColumnSums())
      tasks.push_back(
          sumsTask("columns: " + library.name, "", Role::library, known_.ofColumns, rows,
                   [=, this] { library.sum(matrix_.data(), sums_.data(), rows, columns); }));
#endif
    return tasks;
  }

  Task taskFor(const std::string& name, const std::string& basedOn, Role role,
               std::function<void()> run) {
    return {.step = {.lesson = role == Role::library ? "library" : "09_mean_matvec",
                     .name = name,
                     .role = role,
                     .basedOn = basedOn},
            .prepare =
                [this] {
                  sums_.poison();
                  word_.poison();
                  pair_.poison();
                },
            .run = std::move(run)};
  }

  Task smallestTask(const std::string& name, Role role, std::function<void()> run) {
    Task task = taskFor(name, "", role, std::move(run));
    task.check = [this](StepResult& step) {
      unsigned long long word = 0;
      word_.copyToHost(&word, 1);
      step.result = int64_t(placeOf(word).value_or(UINT32_MAX));
      step.expected = int64_t(known_.smallest);
      step.ok = step.ok && step.result == step.expected;
    };
    return task;
  }

  Task momentsTask(const std::string& name, Role role, std::function<void()> run) {
    Task task = taskFor(name, "", role, std::move(run));
    task.check = [this](StepResult& step) {
      float2 got;
      pair_.copyToHost(&got, 1);
      const double ofMean = std::abs(got.x / known_.mean - 1);
      const double apart = std::abs(double(got.y) - known_.variance);
      found(step, got.y, known_.variance, std::max(ofMean, apart / std::max(known_.variance, 1e-2)),
            1e-4);
    };
    return task;
  }

  // chain: as many additions, one after the other, as a sum may be of.
  Task sumsTask(const std::string& name, const std::string& basedOn, Role role,
                const std::vector<double>& expected, size_t chain, std::function<void()> run) {
    Task task = taskFor(name, basedOn, role, std::move(run));
    task.check = [this, &expected, chain](StepResult& step) {
      sums_.copyToHost(got_.data(), expected.size());
      double worst = 0;
      for (size_t i = 0; i < expected.size(); ++i) {
        const double error = std::abs(got_[i] / expected[i] - 1);
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
        if (worst == INFINITY) break;
      }
      found(step, got_[0], expected[0], worst, double(chain + 32) * 0x1p-24);
    };
    return task;
  }

  static void found(StepResult& step, double result, double expected, double error, double most) {
    step.realResult = result;
    step.realExpected = expected;
    step.relativeError = std::max(step.relativeError.value_or(0), error);
    step.ok = step.ok && error <= most;
  }

  const KnownMatrix& known_;
  DeviceArray<float> matrix_, sums_;
  DeviceArray<unsigned long long> word_;
  DeviceArray<float2> pair_;
  std::vector<float> got_;
  MomentsOf moments_;
  ColumnSums columns_;
};

// The body of the program. Returns the exit code; throws Error.
inline int reductions(const Options& options) {
  Report report = startReport(options, program);
  ResultFile file(options.json);
  const uint64_t rows = options.sizes[0], columns = options.sizes[1];
  const std::string sizes = fmt::format("--rows {} --cols {}", rows, columns);
  if (double(rows) * double(columns) >= 0x1p31)
    throw Error(exitUsage, sizes + ": reductions takes fewer than 2^31 elements");
  const double bytes = 4.0 * double(rows) * double(columns);
  const Needs needs = needsOf(1.1 * bytes + 8.0 * double(rows + columns),
                              bytes + 20.0 * double(rows + columns), report.machine);
  if (!needs.fit(report.machine)) needs.refuse(sizes, report.machine, "choose a smaller matrix");
  report.n = rows * columns;
  report.type = "float";
  report.block = 0;
  report.cache = "L2 flushed before each sample";
  report.sizes = {{"rows", rows}, {"cols", columns}};
  printHeader(report);
  std::cout << fmt::format("{} rows, {} columns\n\n", rows, columns);

  const KnownMatrix known(rows, columns, report.seed);
  Reductions all(known);
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  for (const std::vector<Task>& tasks : all.tables()) {
    Report table = report;
    table.steps = stopwatch.measure(tasks, samplingOf(options));
    if (onGpu)
      printTimes(table);
    else
      printWholeCounters(table);
    std::cout << '\n' << std::flush;
    report.steps.insert(report.steps.end(), table.steps.begin(), table.steps.end());
  }
  std::cout << (report.allRight() ? "every result is right\n" : "") << std::flush;
  file.write(report);
  return complain(report);
}
