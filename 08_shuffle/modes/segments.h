// --segments: one sum for every 32 elements, through shared memory and by shuffle, with one warp
// per block and with eight.
#pragma once

#include <algorithm>
#include "base/format.h"

#include <iostream>
#include <memory>
#include <numeric>

#include "cuda/launch.h"
#include "measure/input.h"
#include "measure/memory_budget.h"
#include "measure/step.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"

// In shuffle.cuh and, for the last one, library.cuh.
__global__ void segmentsShared(const int* data, int* sums, size_t n);
__global__ void segmentsShuffle(const int* data, int* sums, size_t n);
__global__ void segmentsCub(const int* data, int* sums, size_t n);

struct SegmentStep {
  std::string name, basedOn;
  void (*kernel)(const int* data, int* sums, size_t n);
  unsigned block;
};

inline std::vector<SegmentStep> segmentSteps() {
  std::vector<SegmentStep> steps = {
      {"shared, 1 warp per block", "", segmentsShared, 32},
      {"shuffle, 1 warp per block", "shared, 1 warp per block", segmentsShuffle, 32},
      {"shared, 8 warps per block", "shared, 1 warp per block", segmentsShared, 256},
      {"shuffle, 8 warps per block", "shared, 8 warps per block", segmentsShuffle, 256}};
#ifdef GPU_BACKEND
  steps.push_back({"cub::WarpReduce, 8 warps", "shuffle, 8 warps per block", segmentsCub, 256});
#endif
  return steps;
}

// The input of n elements, room for the sums of its segments, and what they should be.
class Segments {
 public:
  Segments(size_t n, uint64_t seed)
      : n_(n),
        count_(blocksFor(n, 32)),
        data_(n, "input"),
        sums_(count_, "sums"),
        expected_(count_),
        got_(count_) {
    const Input input = makeInput(n, seed);
    for (size_t i = 0; i < n; ++i) expected_[i / 32] += input.values[i];
    total_ = input.sum;
    data_.copyFromHost(input.values.get());
  }

  // The task that runs the step and compares the sum of every segment. Valid as long as this is.
  Task taskFor(const SegmentStep& step) {
    const uint64_t blocks = blocksFor(n_, step.block);
    return {.step = {.lesson = "08_shuffle",
                     .name = step.name,
                     .basedOn = step.basedOn,
                     .expected = total_,
                     .blocks = blocks,
                     .n = n_,
                     .block = step.block},
            .prepare = [this] { sums_.poison(); },
            .run =
                [this, step, blocks] {
                  if (blocks > 0)
                    launch(dim3(unsigned(blocks)), dim3(step.block), step.kernel,
                           static_cast<const int*>(data_.data()), sums_.data(), n_);
                },
            .finish = [this] { sums_.copyToHost(got_.data(), count_); },
            .check = [this](StepResult& result) { check(result); }};
  }

 private:
  void check(StepResult& result) const {
    result.result = std::accumulate(got_.begin(), got_.end(), int64_t(0));
    const auto wrong = std::mismatch(got_.begin(), got_.end(), expected_.begin()).first;
    if (wrong == got_.end()) return;
    const auto i = size_t(wrong - got_.begin());
    result.fault = fmt::format("{}: the sum of segment {} is {} and should be {}", result.name, i,
                               got_[i], expected_[i]);
    result.ok = false;
  }

  size_t n_, count_;
  DeviceArray<int> data_, sums_;
  std::vector<int> expected_, got_;
  int64_t total_ = 0;
};

// What the steps took over n elements.
inline std::vector<StepResult> runSegments(Stopwatch& stopwatch, const Sampling& sampling,
                                           const std::vector<SegmentStep>& steps, size_t n,
                                           uint64_t seed) {
  Segments segments(n, seed);
  std::vector<Task> tasks;
  for (const SegmentStep& step : steps) tasks.push_back(segments.taskFor(step));
  return stopwatch.measure(tasks, sampling);
}

// The mode's body: at 2^20 elements and at the default number, or at the n that was asked for.
inline int segmentsProgram(const Options& options, const std::vector<SegmentStep>& steps) {
  Report all = startReport(options, "08_shuffle");
  ResultFile file(options.json);
  all.block = 0;
  all.cache = "L2 flushed before each sample";
  const auto needs = [&](uint64_t n) {
    return needsOf(4.2 * double(n), 4.3 * double(n), all.machine);
  };
  all.n = chooseN(options.n, uint64_t(1) << (thisBackend == Backend::gpu ? 28 : 20), all.machine,
                  needs);
  DeviceStopwatch stopwatch = stopwatchFor(options, all);
  std::vector<uint64_t> lengths = {all.n};
  if (!options.n && all.n > 1 << 20) lengths.insert(lengths.begin(), 1 << 20);
  for (const uint64_t n : lengths) {
    Report report = all;
    report.n = n;
    report.steps.clear();
    printHeader(report);
    report.steps = runSegments(stopwatch, samplingOf(options), steps, n, options.seed);
    printReport(report, options);
    all.steps.insert(all.steps.end(), report.steps.begin(), report.steps.end());
  }
  std::cout << (all.allRight() ? "every segment's sum is right\n" : "") << std::flush;
  file.write(all);
  return complain(all);
}

inline Mode segmentsMode(const std::vector<SegmentStep>& steps) {
  return {.flag = "--segments",
          .help = "one sum for every 32 elements: shared memory against shuffles",
          .run = [=](const Options& options) { return segmentsProgram(options, steps); }};
}
