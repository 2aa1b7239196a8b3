// --sweep: our two kernels that leave the total on the device against cub::DeviceReduce::Sum, at
// every power of two from 2^10 to 2^30.
// GPU only.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include "lesson.h"
#include "single_pass.h"
#include "table.h"

// Where the input is, and what the GPU does, when the sum is asked for.
struct SweepState {
  std::string name, meaning;
  bool flushed, busy;
};

inline std::vector<SweepState> sweepStates() {
  return {
      {"warm",
       "L2 holds what it can of the input; the GPU is idle, as after a cudaDeviceSync: "
       "a launch is in the time",
       false, false},
      {"warm, queued", "the same, but the GPU is busy until all launches are queued", false, true},
      {"flushed, queued", "L2 holds nothing of the input, and the launches are queued", true,
       true}};
}

inline std::vector<Step> sweepSteps() {
  return {{.lesson = "08_shuffle",
           .name = "one atomic per block",
           .blocksFor = atomicPerBlockBlocks,
           .wholeSum = atomicPerBlockSum},
          {.lesson = "08_shuffle",
           .name = "single pass",
           .blocksFor = singlePassBlocks,
           .wholeSum = singlePassSum},
          librarySum(),
          {.lesson = "CUB",
           .name = "cub::DeviceReduce::Sum, 32-bit total",
           .wholeSum = [](const int* data, size_t n, long long* total) -> const long long* {
             cubSum32(data, n, reinterpret_cast<int*>(total));
             return total;
           }}};
}

inline std::string microseconds(const std::vector<double>& ms) {
  const Spread s = spreadOf(ms);
  const int digits = s.median < 0.1 ? 2 : 1;
  return fixed(1000 * s.median, digits) + " (" + fixed(1000 * s.min, digits) + "–" +
         fixed(1000 * s.max, digits) + ")";
}

inline bool is32Bit(const Step& step) { return step.name.ends_with("32-bit total"); }

// Times the steps at each size and state, their samples in turn, and checks every total.
inline void runSweep(Report& report, const std::vector<uint64_t>& sizes) {
  Progress progress(report.program);
  progress.show("making the input");
  const Input input = makeInput(sizes.back(), report.seed);
  DeviceArray<int> data(sizes.back(), "input");
  data.copyFromHost(input.values.get());
  DeviceArray<long long> total(1, "total");
  DeviceArray<char> flush(4 * report.machine.l2Bytes, "the cache flush");
  flush.poison();
  const auto steps = sweepSteps();

  int64_t expected = 0;
  uint64_t added = 0;
  for (const uint64_t n : sizes) {
    expected = std::accumulate(input.values.get() + added, input.values.get() + n, expected);
    added = n;
    for (const SweepState& state : sweepStates()) {
      const size_t first = report.steps.size();
      for (size_t i = 0; i < steps.size(); ++i)
        report.steps.push_back({.lesson = steps[i].lesson,
                                .name = steps[i].name,
                                .ok = true,
                                .expected = is32Bit(steps[i]) ? int64_t(int(expected)) : expected,
                                .blocks = steps[i].blocksFor ? steps[i].blocksFor(n, 0) : 0,
                                .n = n,
                                .cache = state.name});
      progress.show("n = " + countName(n) + ", " + state.name);
      for (unsigned round = 0; round < report.samples + 3; ++round) {
        for (size_t i = 0; i < steps.size(); ++i) {
          StepResult& r = report.steps[first + i];
          total.poison();
          const auto prepare = [&] {
            if (state.flushed)
              readThroughCache(flush.data(), flush.size());
            else if (state.busy)
              keepBusy();
            else
              CUDA_CHECK(cudaDeviceSynchronize());
          };
          const long long* where = nullptr;
          const double ms =
              timeKernel(prepare, [&] { where = steps[i].wholeSum(data.data(), n, total.data()); });
          if (round >= 3) r.kernelMs.push_back(ms);
          long long result = 0;
          copyToHost(&result, where, 1);
          r.result = is32Bit(steps[i]) ? int(result) : result;
          r.ok = r.ok && r.result == r.expected;
        }
      }
    }
  }
}

// A table for each state: times, and how many times as fast as CUB each of our two kernels is.
inline void printSweep(const Report& report) {
  for (const SweepState& state : sweepStates()) {
    std::cout << state.name << ": " << state.meaning << '\n';
    Table table;
    table.add({"n", "one atomic µs (min–max)", "single pass µs (min–max)", "CUB µs (min–max)",
               "32-bit CUB", "atomic: × CUB", "× 32-bit", "% of peak", "single: × CUB", "× 32-bit",
               "sums"});
    double logs[2][2] = {};  // of the ratios: our kernels, CUB's totals
    unsigned slower[2] = {}, count = 0;
    for (size_t i = 0; i + 3 < report.steps.size(); i += 4) {
      const StepResult* const r = &report.steps[i];  // the four of sweepSteps()
      if (r->cache != state.name) continue;
      Table::Row row = {countName(*r->n)};
      bool right = true;
      for (int k = 0; k < 4; ++k) {
        row.push_back(k < 3 ? microseconds(r[k].kernelMs)
                            : fixed(1000 * spreadOf(r[k].kernelMs).median, 2));
        right = right && r[k].ok;
      }
      const Spread cub = spreadOf(r[2].kernelMs), cub32 = spreadOf(r[3].kernelMs);
      for (int ours = 0; ours < 2; ++ours) {
        const Spread mine = spreadOf(r[ours].kernelMs);
        row.push_back(fixed(cub.median / mine.median, 3));
        row.push_back(fixed(cub32.median / mine.median, 3));
        if (ours == 0)
          row.push_back(fixed(400e-6 * double(*r->n) / mine.median / report.machine.peakGbps, 1));
        logs[ours][0] += std::log(cub.median / mine.median);
        logs[ours][1] += std::log(cub32.median / mine.median);
        slower[ours] += mine.min > cub.max;
      }
      row.push_back(right ? "right" : "WRONG");
      table.add(row);
      ++count;
    }
    table.print();
    for (int ours = 0; ours < 2; ++ours)
      std::cout << (ours == 0 ? "one atomic per block" : "single pass") << ": geometric mean "
                << fixed(std::exp(logs[ours][0] / count), 3) << " × CUB ("
                << fixed(std::exp(logs[ours][1] / count), 3)
                << " × CUB with a 32-bit total); every sample slower than every one of CUB's at "
                << slower[ours] << " of " << count << " sizes\n";
    std::cout << '\n';
  }
}

// The mode's body. --n is the largest size.
inline int sweepProgram(const Options& options) {
  Report report = startReport(options, "08_shuffle");
  ResultFile file(options.json);
  Options asked = options;
  if (!asked.n) asked.n = uint64_t(1) << 30;
  const auto fits = [&](uint64_t n) {
    return double(n) * 4 + 64e6 + 4 * double(report.machine.l2Bytes) <=
               double(report.machine.freeBytes) &&
           double(n) * 4 + 64e6 <= double(report.machine.hostFreeBytes);
  };
  uint64_t largest = std::min(std::bit_floor(std::max<uint64_t>(*asked.n, 1)), uint64_t(1) << 30);
  while (largest > 1024 && !fits(largest)) largest /= 2;
  if (largest < 1024) throw Error(exitUsage, "--sweep starts at 2^10 elements: --n is the largest");
  std::vector<uint64_t> sizes;
  for (uint64_t n = 1024; n <= largest; n *= 2) sizes.push_back(n);
  report.n = largest;
  report.block = 0;
  report.cache = "as each step says";
  printHeader(report);
  runSweep(report, sizes);
  printSweep(report);
  file.write(report);
  return complain(report);
}
