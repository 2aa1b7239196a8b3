// The program of lesson 01: measures steps of CPU code beside the bandwidth that they could reach.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iostream>
#include <memory>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/counts.h"
#include "base/errors.h"
#include "base/progress.h"
#include "cpu_baseline.h"
#include "measure/input.h"
#include "measure/measure.h"
#include "program/options.h"
#include "report/result_file.h"
#include "report/tables.h"

inline const std::string program = "01_cpu_baseline";

struct CpuStep {
  std::string name, basedOn;
  int64_t (*sum)(int* data, size_t n);
  bool inPlace = false;
};

inline const std::vector<CpuStep> cpuSteps = {
    {"serial", "", [](int* data, size_t n) { return sumSerial(data, n); }},
    {"pairwise, in place", "serial", sumPairwisePieces, true},
    {"vectorised", "serial", [](int* data, size_t n) { return sumVectorised(data, n); }},
    {"all cores", "vectorised", [](int* data, size_t n) { return sumAllCores(data, n); }}};

inline int threadsUsed() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// A buffer far larger than the caches, to measure how fast all cores together read.
class BandwidthBuffer {
 public:
  static constexpr size_t bytes = size_t(512) << 20;

  // Filled by all cores: memory belongs to the processor socket that first writes to it.
  BandwidthBuffer() {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; ++i) words_[i] = 1;
  }

  // The task that reads it once.
  Task task() {
    Task task{.step = {.lesson = program, .name = "reading only"},
              .run = [this] { bits_ = readAll(words_.get(), count); }};
    task.check = [this](StepResult&) {
      if (bits_ != 1) throw Error(exitWrong, "the bandwidth loop did not read what it wrote");
    };
    task.onCpu = true;
    return task;
  }

 private:
  static constexpr size_t count = bytes / sizeof(uint64_t);
  std::unique_ptr<uint64_t[]> words_ = std::make_unique_for_overwrite<uint64_t[]>(count);
  uint64_t bits_ = 0;
};

// The input, a copy to work in, the buffer that measures the bandwidth, and some room.
// Throws Error (exitUsage) when they do not fit.
inline void checkMemory(uint64_t n, size_t freeBytes) {
  const double reserved = double(BandwidthBuffer::bytes) + 64e6;
  const double room = double(freeBytes) - reserved;
  const double perElement = 2 * sizeof(int);
  if (perElement * double(n) <= room) return;
  const uint64_t fits = std::bit_floor(uint64_t(std::max(room, 0.0) / perElement));
  throw Error(
      exitUsage,
      fmt::format("--n {} needs {:.0f} MiB of host memory and {} MiB are free: {}", countName(n),
                  (perElement * double(n) + reserved) / 1048576, freeBytes >> 20,
                  fits > 0 ? "--n " + countName(fits) + " fits" : "free some first"));
}

// The task that sums the input by this step; of what it destroys it gets a fresh copy.
inline Task taskFor(const CpuStep& step, const Input& input, int* copy) {
  const auto sum = std::make_shared<int64_t>(0);
  int* const data = step.inPlace ? copy : input.values.get();
  Task task{.step = {.lesson = program,
                     .name = step.name,
                     .basedOn = step.basedOn,
                     .expected = input.sum},
            .prepare =
                [&input, copy, fresh = step.inPlace] {
                  if (fresh) std::memcpy(copy, input.values.get(), input.n * sizeof(int));
                },
            .run = [&input, data, step, sum] { *sum = step.sum(data, input.n); }};
  task.check = [sum](StepResult& result) {
    result.result = *sum;
    result.ok = result.ok && result.result == result.expected;
  };
  task.onCpu = true;
  return task;
}

inline void printHeader(const Report& report) {
  std::cout << fmt::format("{}, {} hardware threads, {} used\n", report.machine.name,
                           report.machine.cores, threadsUsed())
            << fmt::format("n = {} int32 ({:g} MB), seed {}, medians of {} interleaved samples\n",
                           countName(report.n), double(report.n) * 4e-6, report.seed,
                           report.samples);
}

// One round to warm up, then the samples of all steps in turn, and a pass of the bandwidth loop
// among them: the peak must have had the same chances as the steps.
inline void measureAll(Report& report, const std::vector<CpuStep>& steps) {
  std::optional<Progress> progress(std::in_place, program);
  progress->show("making the input");
  const Input input = makeInput(report.n, report.seed);
  const auto copy = std::make_unique_for_overwrite<int[]>(report.n);
  BandwidthBuffer buffer;
  std::vector<Task> tasks = {buffer.task()};
  for (const CpuStep& step : steps) tasks.push_back(taskFor(step, input, copy.get()));
  progress.reset();
  report.steps = Stopwatch(program).measure(tasks, {.samples = report.samples, .warmUps = 1});
  report.machine.peakGbps =
      double(BandwidthBuffer::bytes) * 1e-6 / spreadOf(report.steps.front().kernelMs).min;
  report.steps.erase(report.steps.begin());
}

// The body of the program. Returns the exit code; throws Error.
inline int measureCpuSteps(const Options& options, const std::vector<CpuStep>& steps) {
  Report report{.program = program,
                .backend = Backend::cpu,
                .machine = describeCpu(),
                .n = options.n.value_or(uint64_t(1) << 26),
                .samples = options.samples,
                .seed = options.seed,
                .label = options.label,
                .date = utcNow(),
                .command = options.command};
  ResultFile file(options.json);
  checkMemory(report.n, report.machine.freeBytes);
  printHeader(report);
  measureAll(report, steps);
  std::cout << fmt::format("peak: {:.0f} GB/s, the best of {} passes that only read {} MiB\n\n",
                           report.machine.peakGbps, report.samples, BandwidthBuffer::bytes >> 20);
  printTimes(report);
  std::cout << "sum " << report.steps.front().expected
            << (report.allRight() ? ": every step is right\n" : "\n");
  file.write(report);
  return complain(report);
}
