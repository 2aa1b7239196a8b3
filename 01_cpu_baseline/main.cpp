#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "check.h"
#include "cpu_baseline.h"
#include "input.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "table.h"

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

int threadsUsed() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

template <typename Body>
double millisecondsOf(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
  return ms.count();
}

// Measures how fast all cores together read a buffer far larger than the caches.
class ReadBandwidth {
 public:
  static constexpr size_t bytes = size_t(512) << 20;

  // Filled by all cores: memory belongs to the processor socket that first writes to it.
  ReadBandwidth() {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; ++i) words_[i] = 1;
  }

  void pass() {
    uint64_t bits = 0;
    const double ms = millisecondsOf([&] { bits = readAll(words_.get(), count); });
    if (bits != 1) throw Error(exitWrong, "the bandwidth loop did not read what it wrote");
    bestGbps_ = std::max(bestGbps_, double(bytes) / ms * 1e-6);
  }

  double bestGbps() const { return bestGbps_; }

 private:
  static constexpr size_t count = bytes / sizeof(uint64_t);
  std::unique_ptr<uint64_t[]> words_ = std::make_unique_for_overwrite<uint64_t[]>(count);
  double bestGbps_ = 0;
};

// The input, a copy to work in, the buffer that measures the bandwidth, and some room.
// Throws Error (exitUsage) when they do not fit.
void checkMemory(uint64_t n, size_t freeBytes) {
  const double reserved = double(ReadBandwidth::bytes) + 64e6;
  const double room = double(freeBytes) - reserved;
  const double perElement = 2 * sizeof(int);
  if (perElement * double(n) <= room) return;
  const uint64_t fits = std::bit_floor(uint64_t(std::max(room, 0.0) / perElement));
  throw Error(
      exitUsage,
      "--n " + countName(n) + " needs " + fixed((perElement * double(n) + reserved) / 1048576, 0) +
          " MiB of host memory and " + std::to_string(freeBytes >> 20) +
          " MiB are free: " + (fits > 0 ? "--n " + countName(fits) + " fits" : "free some first"));
}

int lesson(int argc, char** argv) {
  const auto options = parseOptions(argc, argv, program, Backend::cpu, "2^26");
  if (!options) return exitRight;
  Report report{.program = program,
                .backend = Backend::cpu,
                .machine = describeCpu(),
                .n = options->n.value_or(uint64_t(1) << 26),
                .samples = options->samples,
                .seed = options->seed,
                .label = options->label,
                .date = utcNow(),
                .command = options->command};
  ResultFile file(options->json);
  checkMemory(report.n, report.machine.freeBytes);

  std::cout << report.machine.name << ", " << report.machine.cores << " hardware threads, "
            << threadsUsed() << " used\n"
            << "n = " << countName(report.n) << " int32 (" << double(report.n) * 4e-6
            << " MB), seed " << report.seed << ", medians of " << report.samples
            << " interleaved samples\n";

  std::optional<Progress> progress(std::in_place, program);
  progress->show("making the input");
  const Input input = makeInput(report.n, options->seed);
  const auto copy = std::make_unique_for_overwrite<int[]>(report.n);
  ReadBandwidth bandwidth;
  for (const CpuStep& step : steps)
    report.steps.push_back({.lesson = program,
                            .name = step.name,
                            .basedOn = step.basedOn,
                            .ok = true,
                            .expected = input.sum});
  // One round to warm up, then the samples of all steps in turn, and a pass of the bandwidth
  // loop among them: the peak must have had the same chances as the steps.
  for (unsigned round = 0; round <= options->samples; ++round) {
    bandwidth.pass();
    for (size_t i = 0; i < steps.size(); ++i) {
      StepResult& result = report.steps[i];
      progress->show(result.name + (round == 0 ? ", warming up"
                                               : ", sample " + std::to_string(round) + " of " +
                                                     std::to_string(options->samples)));
      int* data = input.values.get();
      if (steps[i].inPlace) {
        std::memcpy(copy.get(), data, report.n * sizeof(int));
        data = copy.get();
      }
      const double ms = millisecondsOf([&] { result.result = steps[i].sum(data, report.n); });
      if (round > 0) result.kernelMs.push_back(ms);
      result.ok = result.ok && result.result == input.sum;
    }
  }

  progress.reset();
  report.machine.peakGbps = bandwidth.bestGbps();
  std::cout << "peak: " << int(report.machine.peakGbps + 0.5) << " GB/s, the best of "
            << options->samples + 1 << " passes that only read " << (ReadBandwidth::bytes >> 20)
            << " MiB\n\n";
  printTimes(report);
  std::cout << "sum " << input.sum << (report.allRight() ? ": every step is right\n" : "\n");
  file.write(report);
  for (const StepResult& step : report.steps)
    if (!step.ok)
      std::cerr << program << ": " << step.name << " is wrong: " << step.result << " instead of "
                << step.expected << '\n';
  return report.allRight() ? exitRight : exitWrong;
}

}  // namespace

int main(int argc, char** argv) { return runProgram(program, lesson, argc, argv); }
