// --sweep: our two kernels that leave the total on the device against cub::DeviceReduce::Sum, at
// every power of two from 2^10 to 2^30.
// GPU only.
#pragma once

#include <bit>
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

#include "../whole_sum.h"
#include "base/table.h"
#include "cuda/device.h"
#include "measure/memory_budget.h"
#include "measure/workspace.h"
#include "program/run.h"
#include "report/result_file.h"

#ifdef GPU_BACKEND

// Where the input is, and what the GPU does, when the sum is asked for.
struct SweepState {
  std::string name, meaning;
  Before before;
};

inline std::vector<SweepState> sweepStates() {
  return {{"warm",
           "L2 holds what it can of the input; the GPU is idle, as after a cudaDeviceSync: "
           "a launch is in the time",
           Before::idle},
          {"warm, queued", "the same, but the GPU is busy until all launches are queued",
           Before::queued},
          {"flushed, queued", "L2 holds nothing of the input, and the launches are queued",
           Before::flushed}};
}

inline std::vector<Step> sweepSteps() {
  std::vector<Step> steps = {{.lesson = "08_shuffle",
                              .name = "one atomic per block",
                              .blocksFor = atomicPerBlockBlocks,
                              .wholeSum = atomicPerBlockSum},
                             {.lesson = "08_shuffle",
                              .name = "single pass",
                              .blocksFor = singlePassBlocks,
                              .wholeSum = singlePassSum},
                             librarySum(),
                             librarySum32()};
  if (const std::vector<Step> all = librarySums(); all.size() > 2) steps.push_back(all.front());
  return steps;
}

// A launch that does nothing: no sum can take less.
inline Task emptyTask(uint64_t n) {
  return {.step = {.lesson = "roof", .name = "empty kernel", .role = Role::roof, .n = n},
          .run = launchNothing};
}

// Below this size a sample is many launches back to back, as an event resolves half a microsecond;
// not with --samples 1, where results are looked at, as under compute-sanitizer, and not times.
constexpr uint64_t manyLaunchesBelow = 1 << 18;

// Times the steps at each size and state, in another order for each sample, and checks every total.
inline void runSweep(Stopwatch& stopwatch, const Options& options, Report& report,
                     const std::vector<uint64_t>& sizes) {
  const Input input = makeInput(sizes.back(), report.seed);
  DeviceArray<int> data(sizes.back(), "input");
  data.copyFromHost(input.values.get());
  DeviceArray<long long> total(1, "total");
  const long long* where = nullptr;
  long long result = 0;
  const auto taskFor = [&](const Step& step, uint64_t n, int64_t expected) {
    const bool narrow = step.total32;
    return Task{.step = {.lesson = step.lesson,
                         .name = step.name,
                         .role = step.role,
                         .expected = narrow ? int64_t(int(expected)) : expected,
                         .blocks = step.blocksFor ? step.blocksFor(n, 0) : 0,
                         .n = n},
                .prepare = [&] { total.poison(); },
                .run = [&, step, n] { where = step.wholeSum(data.data(), n, total.data()); },
                .finish = [&] { copyToHost(&result, where, 1); },
                .check =
                    [&, narrow](StepResult& step) {
                      step.result = narrow ? int(result) : result;
                      step.ok = step.ok && step.result == step.expected;
                    }};
  };
  int64_t expected = 0;
  uint64_t added = 0;
  for (const uint64_t n : sizes) {
    expected = std::accumulate(input.values.get() + added, input.values.get() + n, expected);
    added = n;
    for (const SweepState& state : sweepStates()) {
      std::vector<Task> tasks;
      for (const Step& step : sweepSteps()) {
        tasks.push_back(taskFor(step, n, expected));
        tasks.back().step.cache = state.name;
      }
      tasks.push_back(emptyTask(n));
      tasks.back().step.cache = state.name;
      Sampling sampling = samplingOf(options);
      sampling.before = state.before;
      sampling.shuffled = true;
      if (state.before == Before::queued && n < manyLaunchesBelow && options.samples > 1)
        sampling.launches = 20;
      for (const StepResult& step : stopwatch.measure(tasks, sampling))
        report.steps.push_back(step);
    }
  }
}

// The three of a size and state that are compared, how they compare with the better of CUB's two,
// and how often that is faster beyond the spread.
class SweepMeans {
 public:
  void add(const StepResult* results) {
    const Spread cub = spreadOf(results[2].kernelMs), cub32 = spreadOf(results[3].kernelMs);
    const Spread& best = cub.median <= cub32.median ? cub : cub32;
    for (int ours = 0; ours < 2; ++ours) {
      const Spread mine = spreadOf(results[ours].kernelMs);
      logs_[ours] += std::log(best.median / mine.median);
      slower_[ours] += mine.min > best.max;
    }
    ++count_;
  }
  void print(const std::string& sizes) const {
    if (count_ == 0) return;
    for (int ours = 0; ours < 2; ++ours)
      std::cout << sizes << ", " << (ours == 0 ? "one atomic per block" : "single pass")
                << ": geometric mean " << fixed(std::exp(logs_[ours] / count_), 3)
                << " × the faster of CUB's two; beyond the spread slower at " << slower_[ours]
                << " of " << count_ << " sizes\n";
  }

 private:
  double logs_[2] = {};
  unsigned slower_[2] = {}, count_ = 0;
};

// A table for each state: times, and how many times as fast as CUB each of our two kernels is.
// Small sizes, where launches are counted, and large ones, where bytes are, have means of their
// own.
inline void printSweep(const Report& report) {
  for (const SweepState& state : sweepStates()) {
    std::cout << state.name << ": " << state.meaning << '\n';
    const size_t sums = sweepSteps().size();  // ours, CUB's, and perhaps one by atomics
    Table table;
    Table::Row titles = {"n",
                         "empty µs",
                         "one atomic µs (min–max)",
                         "single pass µs (min–max)",
                         "CUB µs (min–max)",
                         "32-bit CUB"};
    if (sums > 4) titles.push_back("not guaranteed");
    titles.insert(titles.end(),
                  {"atomic: × CUB", "× 32-bit", "% of peak", "single: × CUB", "× 32-bit", "sums"});
    table.add(titles);
    SweepMeans small, large;
    for (size_t i = 0; i + sums < report.steps.size(); i += sums + 1) {
      const StepResult* const r = &report.steps[i];  // those of sweepSteps(), and the empty one
      if (r->cache != state.name) continue;
      const auto us = [&](int k) { return 1000 * spreadOf(r[k].kernelMs).median; };
      Table::Row row = {countName(*r->n), fixed(us(int(sums)), 2)};
      bool right = true;
      for (int k = 0; k < int(sums); ++k) {
        row.push_back(k < 3 ? timeAndSpreadInMicroseconds(r[k].kernelMs) : fixed(us(3), 2));
        right = right && r[k].ok;
      }
      for (int ours = 0; ours < 2; ++ours) {
        row.push_back(fixed(us(2) / us(ours), 3));
        row.push_back(fixed(us(3) / us(ours), 3));
        if (ours == 0)
          row.push_back(fixed(0.4 * double(*r->n) / us(0) / report.machine.peakGbps, 1));
      }
      row.push_back(right ? "right" : "WRONG");
      table.add(row);
      (*r->n < uint64_t(1) << 22 ? small : large).add(r);
    }
    table.print();
    small.print("below 2^22");
    large.print("from 2^22 on");
    std::cout << '\n';
  }
}

// The mode's body. --n is the largest size.
inline int sweepProgram(const Options& options) {
  Report report = startReport(options, "08_shuffle");
  ResultFile file(options.json);
  const uint64_t most = options.n.value_or(uint64_t(1) << 30);
  const auto fits = [&](uint64_t n) {
    return needsOf(4.0 * double(n), 4.0 * double(n), report.machine).fit(report.machine);
  };
  uint64_t largest = std::min(std::bit_floor(std::max<uint64_t>(most, 1)), uint64_t(1) << 30);
  while (largest > 1024 && !fits(largest)) largest /= 2;
  if (largest < 1024) throw Error(exitUsage, "--sweep starts at 2^10 elements: --n is the largest");
  std::vector<uint64_t> sizes;
  for (uint64_t n = 1024; n <= largest; n *= 2) sizes.push_back(n);
  report.n = largest;
  report.block = 0;
  report.cache = "as each step says";
  printHeader(report);
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  runSweep(stopwatch, options, report, sizes);
  printSweep(report);
  file.write(report);
  return complain(report);
}

#endif

inline Mode sweepMode() {
  return {.flag = "--sweep",
          .help = "our sums against CUB's from 2^10 to 2^30 elements",
#ifdef GPU_BACKEND
          .run = sweepProgram,
#else
          .run = {},
#endif
          .only = Backend::gpu};
}
