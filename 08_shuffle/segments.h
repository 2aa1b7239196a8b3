// --segments: one sum for every 32 elements, through shared memory and by shuffle, with one warp
// per block and with eight.
#pragma once

#include <algorithm>

#include "lesson.h"
#include "shuffle.cuh"

struct SegmentStep {
  std::string name, basedOn;
  void (*kernel)(const int* data, int* sums, size_t n);
  unsigned block;
};

inline std::vector<SegmentStep> segmentSteps() {
  return {{"shared, 1 warp per block", "", segmentsShared, 32},
          {"shuffle, 1 warp per block", "shared, 1 warp per block", segmentsShuffle, 32},
          {"shared, 8 warps per block", "shared, 1 warp per block", segmentsShared, 256},
          {"shuffle, 8 warps per block", "shared, 8 warps per block", segmentsShuffle, 256}};
}

// Runs the steps over n elements and checks every segment's sum; fills in report.steps.
inline void runSegments(Report& report, const std::vector<SegmentStep>& steps) {
  const size_t n = report.n, count = blocksFor(n, 32);
  const Input input = makeInput(n, report.seed);
  std::vector<int> expected(count), sums(count);
  for (size_t i = 0; i < n; ++i) expected[i / 32] += input.values[i];
  DeviceArray<int> data(n, "input"), result(count, "sums");
  data.copyFromHost(input.values.get());
  DeviceArray<char> flush(4 * report.machine.l2Bytes, "the cache flush");
  flush.poison();

  for (const SegmentStep& step : steps)
    report.steps.push_back({.lesson = "08_shuffle",
                            .name = step.name,
                            .basedOn = step.basedOn,
                            .ok = true,
                            .expected = input.sum,
                            .blocks = blocksFor(n, step.block),
                            .n = n,
                            .block = step.block});
  const bool gpu = report.backend == Backend::gpu;
  Progress progress(report.program, blocksDone);
  for (unsigned round = 0; round < (gpu ? report.samples + 3 : 1); ++round) {
    for (size_t i = 0; i < steps.size(); ++i) {
      StepResult& r = report.steps[i];
      progress.show(r.name + (gpu ? sampleName(round, 3, report.samples) : ""));
      const auto prepare = [&] {
        result.poison();
        readThroughCache(flush.data(), flush.size());
      };
      const auto kernel = [&] {
        if (r.blocks > 0)
          launch(dim3(unsigned(r.blocks)), dim3(r.block), steps[i].kernel,
                 static_cast<const int*>(data.data()), result.data(), n);
      };
      const auto finish = [&] { result.copyToHost(sums.data(), count); };
      try {
        const Sample sample = timeOnce(prepare, kernel, finish);
        if (gpu && round >= 3) r.kernelMs.push_back(sample.kernelMs);
        if (!gpu) r.counters = sample.counters;
      } catch (const std::runtime_error& error) {
        if (gpu) throw;
        r.fault = error.what();
      }
      r.result = std::accumulate(sums.begin(), sums.end(), int64_t(0));
      const auto wrong = std::mismatch(sums.begin(), sums.end(), expected.begin()).first;
      if (r.fault.empty() && wrong != sums.end())
        r.fault = r.name + ": the sum of segment " + std::to_string(wrong - sums.begin()) + " is " +
                  std::to_string(*wrong) + " and should be " +
                  std::to_string(expected[size_t(wrong - sums.begin())]);
      r.ok = r.fault.empty();
    }
  }
}

// The mode's body: at 2^20 elements and at the default number, or at the n that was asked for.
inline int segmentsProgram(const Options& options, const std::vector<SegmentStep>& steps) {
  Report all = startReport(options, "08_shuffle");
  ResultFile file(options.json);
  all.block = 0;
  all.cache = "L2 flushed before each sample";
  all.n = chooseN(options, thisBackend, all.machine);
  std::vector<uint64_t> lengths = {all.n};
  if (!options.n && all.n > 1 << 20) lengths.insert(lengths.begin(), 1 << 20);
  for (const uint64_t n : lengths) {
    Report report = all;
    report.n = n;
    report.steps.clear();
    printHeader(report);
    runSegments(report, steps);
    printReport(report, options);
    all.steps.insert(all.steps.end(), report.steps.begin(), report.steps.end());
  }
  std::cout << (all.allRight() ? "every segment's sum is right\n" : "") << std::flush;
  file.write(all);
  return complain(all);
}
