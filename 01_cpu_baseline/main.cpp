#include <chrono>
#include <cstring>
#include <iostream>
#include <vector>

#include "check.h"
#include "cpu_baseline.h"
#include "input.h"
#include "options.h"
#include "report.h"
#include "timing.h"

namespace {

constexpr const char* program = "01_cpu_baseline";

struct CpuStep {
  std::string name, basedOn;
  int64_t (*sum)(int* data, size_t n);
  bool inPlace = false;
};

const std::vector<CpuStep> steps = {
    {"serial", "", [](int* data, size_t n) { return sumSerial(data, n); }},
    {"pairwise, in place", "serial", sumPairwisePieces, true},
    {"vectorised", "serial", [](int* data, size_t n) { return sumVectorised(data, n); }},
    {"all cores", "vectorised", [](int* data, size_t n) { return sumAllCores(data, n); }}};

// The fastest of ten passes over a buffer far larger than any cache.
double readBandwidth() {
  const size_t bytes = size_t(512) << 20;
  std::vector<uint64_t> words(bytes / sizeof(uint64_t), 1);
  double best = 0;
  for (int pass = 0; pass < 10; ++pass) {
    uint64_t bits = 0;
    const Sample sample =
        timeOnce([&] { bits = readAll(words.data(), words.size()); }, [&] { words[0] |= bits; });
    best = std::max(best, double(bytes) / sample.kernelMs * 1e-6);
  }
  return best;
}

int lesson(int argc, char** argv) {
  const auto options = parseOptions(argc, argv, program, Backend::cpu, "2^26");
  if (!options) return exitRight;
  Report report{.program = program,
                .backend = Backend::cpu,
                .machine = describeCpu(),
                .n = options->n.value_or(uint64_t(1) << 26),
                .block = options->block,
                .samples = options->samples,
                .seed = options->seed};
  ResultFile file(options->json);
  // The input, a copy to work in, and the buffer that measures the bandwidth.
  const double needed = 8.0 * double(report.n) + 600e6;
  if (needed > double(report.machine.freeBytes))
    throw Error(exitUsage, "--n " + countName(report.n) + " does not fit in memory: " +
                               std::to_string(report.machine.freeBytes >> 20) + " MiB are free");

  report.machine.peakGbps = readBandwidth();
  std::cout << report.machine.name << ", " << report.machine.cores
            << " hardware threads, which together read " << int(report.machine.peakGbps + 0.5)
            << " GB/s from memory\n"
            << "n = " << countName(report.n) << " int32 (" << double(report.n) * 4e-6
            << " MB), seed " << report.seed << ", medians of " << report.samples
            << " interleaved samples\n\n";

  const Input input = makeInput(report.n, options->seed);
  const auto copy = std::make_unique_for_overwrite<int[]>(report.n);
  for (const CpuStep& step : steps)
    report.steps.push_back({.lesson = program,
                            .name = step.name,
                            .basedOn = step.basedOn,
                            .ok = true,
                            .expected = input.sum});
  // One round to warm up, then the samples of all steps in turn.
  for (unsigned round = 0; round <= options->samples; ++round) {
    for (size_t i = 0; i < steps.size(); ++i) {
      StepResult& result = report.steps[i];
      int* data = input.values.get();
      if (steps[i].inPlace) {
        std::memcpy(copy.get(), data, report.n * sizeof(int));
        data = copy.get();
      }
      const Sample sample = timeOnce([&] { result.result = steps[i].sum(data, report.n); }, [] {});
      if (round > 0) result.kernelMs.push_back(sample.kernelMs);
      result.ok = result.ok && result.result == input.sum;
    }
  }

  printTimes(report);
  std::cout << "sum " << input.sum << (report.allRight() ? ": every step is right\n" : "\n");
  file.write(report);
  return report.allRight() ? exitRight : exitWrong;
}

}  // namespace

int main(int argc, char** argv) { return runProgram(program, lesson, argc, argv); }
