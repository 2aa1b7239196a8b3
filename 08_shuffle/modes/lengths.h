// --lengths: our sums against CUB's at a thousand random lengths, for int32, int64, float and
// double. GPU only.
#pragma once

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <vector>

#include "../single_pass.h"
#include "../whole_sum.h"
#include "base/random.h"
#include "base/table.h"
#include "cub_operators.h"
#include "measure/memory_budget.h"
#include "measure/workspace.h"
#include "program/run.h"

#ifdef GPU_BACKEND

// So many lengths from 2^10 up to most, as many in each octave, the longest first.
inline std::vector<size_t> randomLengths(unsigned count, double most, uint64_t seed) {
  std::vector<size_t> lengths;
  const double octaves = std::log2(most) - 10;
  for (unsigned i = 0; i < count; ++i) {
    const double octave = (i + double(randomBits(seed, i) >> 11) * 0x1p-53) / count * octaves;
    lengths.push_back(size_t(std::exp2(10 + octave)));
  }
  std::ranges::sort(lengths, std::greater());
  return lengths;
}

// How one kernel of ours did against the faster of CUB's.
struct LengthsRow {
  std::string name;
  std::vector<std::pair<size_t, double>> ratios = {};  // of each length: CUB's time over ours
  unsigned wrong = 0, slower = 0;  // slower: every sample than every one of CUB's
  void add(size_t n, const std::vector<StepResult>& cubs, const StepResult& ours) {
    Spread best = spreadOf(cubs.front().kernelMs);
    for (const StepResult& cub : cubs)
      if (spreadOf(cub.kernelMs).median < best.median) best = spreadOf(cub.kernelMs);
    const Spread mine = spreadOf(ours.kernelMs);
    ratios.emplace_back(n, best.median / mine.median);
    slower += mine.min > best.max;
    wrong += !ours.ok;
  }
};

// The element type's sums at every length: ours first, then CUB's. All take (data, n).
template <typename T>
struct Candidate {
  std::string name;
  std::function<const void*(const T* data, size_t n)> sum;  // returns where its total is
  bool ours;
};

template <typename T>
std::vector<Candidate<T>> candidatesOf(DeviceArray<T>& total) {
  static SinglePass<Sum<T>, T> pass;
  return {{"single pass",
           [&](const T* data, size_t n) -> const void* {
             pass(data, n, total.data());
             return total.data();
           },
           true},
          {"CUB",
           [&](const T* data, size_t n) -> const void* {
             cubReduce<Sum<T>, T>(data, int(n), total.data());
             return total.data();
           },
           false}};
}

// int32 has a 64-bit total of ours, and CUB's with either.
inline std::vector<Candidate<int>> candidatesOfInt(DeviceArray<long long>& total) {
  const auto run = [&](const Step& step) {
    return [&total, step](const int* data, size_t n) -> const void* {
      return step.wholeSum(data, n, total.data());
    };
  };
  return {{"one atomic per block", run({.lesson = "", .name = "", .wholeSum = atomicPerBlockSum}),
           true},
          {"single pass", run({.lesson = "", .name = "", .wholeSum = singlePassSum}), true},
          {"CUB", run(librarySum()), false},
          {"CUB, 32-bit total", run(librarySum32()), false}};
}

// Values from 0 to 255, whole numbers for every type. The input of a length begins at a random
// element below 64, so that alignments differ, too.
template <typename T, typename Total>
void runLengths(Stopwatch& stopwatch, const std::vector<size_t>& lengths, Before before,
                uint64_t seed, const std::vector<Candidate<T>>& candidates,
                std::vector<LengthsRow>& rows, const std::string& type) {
  const size_t most = lengths.front() + 64;
  const Input input = makeInput(most, seed);
  std::vector<T> values(input.values.get(), input.values.get() + most);
  DeviceArray<T> data(most, "input");
  data.copyFromHost(values.data());
  std::vector<double> before64(most + 1);  // exact: whole numbers
  for (size_t i = 0; i < most; ++i) before64[i + 1] = before64[i] + double(values[i]);
  const size_t firstRow = rows.size();
  for (const Candidate<T>& c : candidates)
    if (c.ours) rows.push_back({.name = type + ", " + c.name});
  for (const size_t n : lengths) {
    const size_t offset = randomBits(seed + 1, n) % 64;
    const double expected = before64[offset + n] - before64[offset];
    std::vector<Task> tasks;
    const void* where = nullptr;
    for (const Candidate<T>& c : candidates) {
      tasks.push_back({.step = {.lesson = "", .name = c.name},
                       .run = [&] { where = c.sum(data.data() + offset, n); }});
      tasks.back().check = [&, ours = c.ours](StepResult& step) {
        Total total{};
        copyToHost(&total, static_cast<const Total*>(where), 1);
        const double most = std::is_same_v<T, float> ? 1e-5 * expected : 0;
        step.ok = step.ok && (!ours || std::abs(double(total) - expected) <= most);
      };
    }
    const Sampling sampling{.samples = 7,
                            .warmUps = 1,
                            .before = before,
                            .launches = before == Before::queued && n < 1 << 18 ? 10u : 1u,
                            .shuffled = true};
    const std::vector<StepResult> steps = stopwatch.measure(tasks, sampling);
    std::vector<StepResult> cubs;
    for (size_t i = 0; i < steps.size(); ++i)
      if (!candidates[i].ours) cubs.push_back(steps[i]);
    for (size_t i = 0, row = firstRow; i < steps.size(); ++i)
      if (candidates[i].ours) rows[row++].add(n, cubs, steps[i]);
  }
}

inline void printLengths(const std::vector<LengthsRow>& rows) {
  Table table;
  table.add({"sum", "× CUB below 2^22", "from 2^22 on", "slowest", "at n", "slower by 2 % and more",
             "beyond the spread", "of", "results"});
  for (const LengthsRow& row : rows) {
    double logs[2] = {};
    unsigned counts[2] = {}, behind = 0;
    auto slowest = row.ratios.front();
    for (const auto& [n, ratio] : row.ratios) {
      logs[n >= 1 << 22] += std::log(ratio);
      ++counts[n >= 1 << 22];
      behind += ratio < 0.98;
      if (ratio < slowest.second) slowest = {n, ratio};
    }
    const auto mean = [&](int i) {
      return counts[i] > 0 ? fixed(std::exp(logs[i] / counts[i]), 3) : std::string();
    };
    table.add({row.name, mean(0), mean(1), fixed(slowest.second, 3), std::to_string(slowest.first),
               std::to_string(behind), std::to_string(row.slower),
               std::to_string(row.ratios.size()), row.wrong == 0 ? "right" : "WRONG"});
  }
  table.print();
}

// The mode's body. --n is the largest length.
inline int lengthsProgram(const Options& options) {
  if (!options.json.empty()) throw Error(exitUsage, "--json: --lengths writes no result file");
  Report report = startReport(options, "08_shuffle");
  const double most = double(options.n.value_or(uint64_t(1) << 27));
  if (most < 2048 || most > 0x1p30)
    throw Error(exitUsage, "--lengths goes from 2^10 elements to --n, 2^11 to 2^30");
  if (!needsOf(8 * most, 24 * most, report.machine).fit(report.machine))
    throw Error(exitUsage, "--lengths: not enough memory: choose a smaller --n");
  printMachine(report);
  const std::vector<size_t> lengths = randomLengths(1000, most, options.seed);
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  bool right = true;
  for (const bool flushed : {false, true}) {
    std::cout << "\n"
              << (flushed ? "L2 flushed" : "warm") << ", queued: 1,000 lengths from 2^10 to "
              << countName(uint64_t(most)) << ", medians of 7; × the faster of CUB's\n";
    const Before before = flushed ? Before::flushed : Before::queued;
    std::vector<LengthsRow> rows;
    DeviceArray<long long> total(1, "total");
    runLengths<int, long long>(stopwatch, lengths, before, options.seed, candidatesOfInt(total),
                               rows, "int32");
    DeviceArray<float> floatTotal(1, "total");
    runLengths<float, float>(stopwatch, lengths, before, options.seed, candidatesOf(floatTotal),
                             rows, "float");
    runLengths<long long, long long>(stopwatch, lengths, before, options.seed, candidatesOf(total),
                                     rows, "int64");
    DeviceArray<double> doubleTotal(1, "total");
    runLengths<double, double>(stopwatch, lengths, before, options.seed, candidatesOf(doubleTotal),
                               rows, "double");
    printLengths(rows);
    for (const LengthsRow& row : rows) right = right && row.wrong == 0;
  }
  return right ? exitRight : exitWrong;
}

#endif

inline Mode lengthsMode() {
  return {.flag = "--lengths",
          .help = "our sums against CUB's at 1,000 random lengths and alignments",
#ifdef GPU_BACKEND
          .run = lengthsProgram,
#else
          .run = {},
#endif
          .only = Backend::gpu};
}
