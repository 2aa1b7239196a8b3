// The program: both reductions of rows of every length, on a GPU beside CUB's, and the softmax.
#pragma once

#include <cmath>
#include <functional>
#include <iostream>

#include "base/counts.h"
#include "base/format.h"
#include "measure/memory_budget.h"
#include "program/run.h"
#include "reference.h"
#include "report/result_file.h"
#include "report/tables.h"
#include "softmax_of_length.h"
#ifdef GPU_BACKEND
#include "cub_rows.h"
#endif

inline const std::string program = "bf16_rows";
inline constexpr bool onGpu = thisBackend == Backend::gpu;

// Row lengths of the program, and how many elements all rows have together, or a few less.
inline const std::vector<size_t> rowLengths =
    onGpu ? std::vector<size_t>{10, 32, 100, 1000, 10000, 100000, 1000000, 10000000}
          : std::vector<size_t>{10, 100, 1000, 20000};
inline constexpr size_t mostElements = onGpu ? size_t(1) << 29 : 1 << 16;

// One reduction under its name, with what is right and how far from it a result may be: relative,
// of the second number.
template <typename Reduction>
struct RowTask;
template <>
struct RowTask<Moments> {
  static constexpr const char* name = "mean and variance";
  static constexpr double tolerance = 1e-3;
  static std::vector<Pair> expected(const uint16_t* bits, size_t rows, size_t length) {
    return momentsOf(bits, rows, length);
  }
};
template <>
struct RowTask<SoftmaxSum> {
  static constexpr const char* name = "softmax's sum";
  static constexpr double tolerance = 1e-4;
  static std::vector<Pair> expected(const uint16_t* bits, size_t rows, size_t length) {
    return softmaxSumsOf(bits, rows, length);
  }
};

// How far off a result is: a variance of 0 is compared with 1.
inline double rowError(float2 result, Pair expected) {
  const double first = std::abs(result.x - expected.first) / std::max(1.0, expected.first);
  const double second = std::abs(result.y - expected.second) / std::max(1e-2, expected.second);
  return std::isnan(first + second) ? INFINITY : std::max(10 * first, second);
}

// The rows of one length on the device, and room for what is found of them.
template <typename Reduction>
class RowsOfLength {
 public:
  RowsOfLength(const DeviceArray<__nv_bfloat16>& data, const uint16_t* bits, size_t rows,
               size_t length)
      : rows_{data.data(), rows, length},
        results_(rows, "results"),
        got_(rows),
        expected_(RowTask<Reduction>::expected(bits, rows, length)) {}

  std::vector<Task> tasks() {
    std::vector<Task> tasks;
    const std::string what = RowTask<Reduction>::name;
#ifdef GPU_BACKEND
    const auto cub = [this](bool fixedSize) {
      return [this, fixedSize] {
        cubRows<Reduction>(rows_.data, int(rows_.count), int(rows_.length), results_.data(),
                           fixedSize);
      };
    };
    if (cubHasFixedSize())
      tasks.push_back(taskFor("CUB, one length, " + what, "", Role::library, cub(true)));
    tasks.push_back(taskFor("CUB, " + what, "", Role::library, cub(false)));
#endif
    tasks.push_back(taskFor(what, onGpu ? "CUB, " + what : "", Role::step,
                            [this] { reduce_(rows_, results_.data()); }));
    return tasks;
  }

 private:
  Task taskFor(const std::string& name, const std::string& basedOn, Role role,
               std::function<void()> run) {
    const RowsShape shape = rowsShape(rows_.count, rows_.length);
    return {.step = {.lesson = role == Role::library ? "CUB" : "09_mean_matvec",
                     .name = name,
                     .role = role,
                     .basedOn = basedOn,
                     .blocks = shape.lanes > 0
                                   ? (rows_.count * shape.lanes + shape.threads - 1) / shape.threads
                                   : rows_.count * shape.blocksPerRow,
                     .n = rows_.count * rows_.length,
                     .block = shape.threads,
                     .elementBytes = 2,
                     .type = "bfloat16",
                     .cache = fmt::format("rows of {}", rows_.length)},
            .prepare = [this] { results_.poison(); },
            .run = std::move(run),
            .finish = [this] { fetch(); },
            .check = [this](StepResult& step) { check(step); }};
  }
  // All rows for the first time; then a million from another place in each sample, where there are
  // more.
  void fetch() {
    count_ = samples_ == 0 ? rows_.count : std::min<size_t>(rows_.count, 1 << 20);
    first_ = (samples_++ * 1000003) % (rows_.count - count_ + 1);
    copyToHost(got_.data(), results_.data() + first_, count_);
  }
  void check(StepResult& step) const {
    double worst = step.relativeError.value_or(0);
    for (size_t i = 0; i < count_; ++i)
      worst = std::max(worst, rowError(got_[i], expected_[first_ + i]));
    step.relativeError = worst;
    step.ok = step.ok && worst <= RowTask<Reduction>::tolerance;
    step.realResult = got_[0].y;
    step.realExpected = expected_[first_].second;
  }

  const Rows rows_;
  DeviceArray<float2> results_;
  RowReduction<Reduction> reduce_;
  std::vector<float2> got_;
  std::vector<Pair> expected_;
  size_t samples_ = 0, first_ = 0, count_ = 0;
};

template <typename Reduction>
void runRows(Stopwatch& stopwatch, const Options& options, Report& report,
             const DeviceArray<__nv_bfloat16>& data, const uint16_t* bits, size_t rows,
             size_t length) {
  RowsOfLength<Reduction> ofLength(data, bits, rows, length);
  for (StepResult& step : stopwatch.measure(ofLength.tasks(), samplingOf(options)))
    report.steps.push_back(std::move(step));
}

// Both reductions and the softmax at one length, and a table of each: they move other bytes, and
// CUB has no softmax. out: as large as data.
inline void runLength(Stopwatch& stopwatch, const Options& options, Report& all,
                      const DeviceArray<__nv_bfloat16>& data, const uint16_t* bits,
                      DeviceArray<__nv_bfloat16>& out, size_t rows, size_t length) {
  Report reductions = all, softmax = all;
  reductions.steps.clear();
  softmax.steps.clear();
  reductions.n = softmax.n = rows * length;
  runRows<Moments>(stopwatch, options, reductions, data, bits, rows, length);
  runRows<SoftmaxSum>(stopwatch, options, reductions, data, bits, rows, length);
  SoftmaxOfLength ofLength(data, bits, out, rows, length);
  softmax.steps = stopwatch.measure(ofLength.tasks(), samplingOf(options));
  std::cout << fmt::format("{} rows of {}\n", rows, length);
  for (const Report* report : {&reductions, &softmax}) {
    if (onGpu)
      printTimes(*report);
    else
      printWholeCounters(*report);
    all.steps.insert(all.steps.end(), report->steps.begin(), report->steps.end());
  }
  std::cout << '\n';
}

// The body of the program. Returns the exit code; throws Error.
inline int bf16Rows(const Options& options) {
  Report report = startReport(options, program);
  ResultFile file(options.json);
  report.block = 0;
  report.type = "bfloat16";
  report.cache = "L2 flushed before each sample";
  std::vector<std::pair<size_t, size_t>> matrices;  // rows, and their length
  if (options.sizesGiven) {
    matrices = {{options.sizes[0], options.sizes[1]}};
    if (options.sizes[0] * options.sizes[1] >= uint64_t(1) << 31)
      throw Error(exitUsage, "--rows and --cols: bf16_rows takes fewer than 2^31 elements");
  } else {
    for (const size_t length : rowLengths) matrices.push_back({mostElements / length, length});
  }
  size_t most = 0, mostRows = 0;
  for (const auto& [rows, length] : matrices) {
    most = std::max(most, rows * length);
    mostRows = std::max(mostRows, rows);
  }
  const Needs needs = needsOf(4.0 * double(most) + 16.0 * double(mostRows),
                              2.0 * double(most) + 24.0 * double(mostRows), report.machine);
  if (!needs.fit(report.machine))
    needs.refuse(fmt::format("{} elements", most), report.machine, "choose a smaller matrix");
  report.n = most;
  printHeader(report);
  std::cout << '\n';

  std::vector<uint16_t> bits(most);
  fillAroundThree(bits.data(), most, options.seed);
  DeviceArray<__nv_bfloat16> data(most, "rows"), out(most, "softmax");
  data.copyFromHost(reinterpret_cast<const __nv_bfloat16*>(bits.data()));
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  for (const auto& [rows, length] : matrices)
    runLength(stopwatch, options, report, data, bits.data(), out, rows, length);
  std::cout << (report.allRight() ? "every row is right\n" : "") << std::flush;
  file.write(report);
  return complain(report);
}
