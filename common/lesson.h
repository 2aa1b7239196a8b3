// Runs the steps of a lesson side by side: prepare, run, time or count, verify, report.
#pragma once

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cub_sum.h"
#include "device.h"
#include "input.h"
#include "launch.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "table.h"
#include "timing.h"

#ifndef __CUDACC__
#include "output_file.h"
#include "picture.h"
#endif

// A kernel that leaves one partial sum per block in blockSums and may change data on the way.
using BlockSumKernel = void (*)(int* data, int* blockSums, size_t n);

// One row of the table.
struct Step {
  std::string lesson, name;
  std::string basedOn = {};  // the step it improves on, by name
  BlockSumKernel kernel = nullptr;
  BlockSumKernel (*kernelFor)(unsigned block) = nullptr;  // instead, to choose by block size
  unsigned elementsPerThread = 1;  // n elements need n / (elementsPerThread × block) blocks
  uint64_t (*blocksFor)(uint64_t n, unsigned block) = nullptr;  // or as many as this says
  // Instead of kernel: leaves the sum of n elements in device memory, at *total or at a place of
  // its own, and returns where.
  const long long* (*wholeSum)(const int* data, size_t n, long long* total) = nullptr;
  bool (*available)() = nullptr;  // whether this GPU can run it, where not all can
  unsigned drawnElements = 0;     // that --svg shows one block add up; 0: not this step

  bool runsHere() const { return (kernel || kernelFor || wholeSum) && (!available || available()); }
};

// The blocks that n elements need: rounded up, so that no tail is dropped.
inline uint64_t blocksFor(uint64_t n, uint64_t elementsPerBlock) {
  return n / elementsPerBlock + (n % elementsPerBlock != 0);
}

// What the steps share: the input, a copy of it that kernels may destroy, and room for the results.
class Workspace {
 public:
  Workspace(const Input& input, unsigned block, size_t flushBytes)
      : n_(input.n),
        block_(block),
        original_(input.n, "input"),
        data_(input.n, "data"),
        blockSums_(blocksFor(input.n, block), "blockSums"),
        total_(1, "total"),
        flush_(flushBytes, "the cache flush"),
        hostSums_(blocksFor(input.n, block)),
        hostTotal_(1) {
    original_.copyFromHost(input.values.get());
    flush_.poison();
  }

  uint64_t blocks(const Step& step) const {
    if (step.blocksFor) return step.blocksFor(n_, block_);
    return step.wholeSum ? 0 : blocksFor(n_, uint64_t(step.elementsPerThread) * block_);
  }

  // Runs the step on fresh data, with poisoned results; on a GPU with an L2 that holds none of the
  // data and nothing that must still be written back. Leaves the total in *sum.
  Sample run(const Step& step, int64_t* sum) {
    const uint64_t grid = blocks(step);
    const auto prepare = [&] {
      data_.copyFromDevice(original_);
      blockSums_.poison();
      total_.poison();
      readThroughCache(flush_.data(), flush_.size());
    };
    const long long* total = nullptr;
    const auto kernel = [&] {
      if (step.wholeSum)
        total = step.wholeSum(data_.data(), n_, total_.data());
      else if (grid > 0)
        launch(dim3(unsigned(grid)), dim3(block_),
               step.kernelFor ? step.kernelFor(block_) : step.kernel, data_.data(),
               blockSums_.data(), n_);
    };
    const auto finish = [&] {
      if (step.wholeSum) {
        copyToHost(hostTotal_.data(), total, 1);
        *sum = *hostTotal_.data();
      } else {
        blockSums_.copyToHost(hostSums_.data(), grid);
        *sum = std::accumulate(hostSums_.data(), hostSums_.data() + grid, int64_t(0));
      }
    };
    return timeOnce(prepare, kernel, finish);
  }

 private:
  size_t n_;
  unsigned block_;
  DeviceArray<int> original_, data_, blockSums_;
  DeviceArray<long long> total_;
  DeviceArray<char> flush_;
  HostArray<int> hostSums_;
  HostArray<long long> hostTotal_;
};

// Chooses n, or checks that the one asked for fits. On a GPU: two copies of the input, the block
// sums and the flush on the device, the input and the block sums on the host; on the executor all
// of it on the host, and what it remembers of every byte. Throws Error (exitUsage) when it does not
// fit.
inline uint64_t chooseN(const Options& options, Backend backend, const Machine& machine) {
  const bool gpu = backend == Backend::gpu;
  const auto deviceBytes = [&](uint64_t n) {
    return (gpu ? 8.0 : 18.0) * double(n) + 4.0 * double(blocksFor(n, options.block)) +
           4.0 * double(machine.l2Bytes) + 64e6;
  };
  const auto hostBytes = [&](uint64_t n) {
    return gpu ? 4.0 * double(n + blocksFor(n, options.block)) : deviceBytes(n);
  };
  const auto fits = [&](uint64_t n) {
    return deviceBytes(n) <= double(machine.freeBytes) &&
           hostBytes(n) <= double(machine.hostFreeBytes) &&
           blocksFor(n, options.block) <= 0x7fffffff;
  };
  uint64_t largest = uint64_t(1) << 40;
  while (largest > 1 && !fits(largest)) largest /= 2;
  if (options.n) {
    if (fits(*options.n)) return *options.n;
    const bool onDevice = deviceBytes(*options.n) > double(machine.freeBytes);
    std::ostringstream line;
    const double needed = onDevice ? deviceBytes(*options.n) : hostBytes(*options.n);
    line << std::fixed << std::setprecision(0) << "--n " << countName(*options.n) << " needs "
         << needed / 1048576 << " MiB of " << (gpu && onDevice ? "GPU" : "host") << " memory and "
         << double(onDevice ? machine.freeBytes : machine.hostFreeBytes) / 1048576
         << " MiB are free: --n " << countName(largest) << " fits";
    throw Error(exitUsage, line.str());
  }
  const uint64_t usual = uint64_t(1) << (gpu ? 28 : 20);
  if (fits(usual)) return usual;
  std::cout << "the default n = " << countName(usual)
            << " does not fit in memory: n = " << countName(largest) << '\n';
  return largest;
}

#ifdef __CUDACC__
constexpr Backend thisBackend = Backend::gpu;

inline Step librarySum() {
  return {.lesson = "CUB",
          .name = "cub::DeviceReduce::Sum",
          .wholeSum = [](const int* data, size_t n, long long* total) -> const long long* {
            cubSum(data, n, total);
            return total;
          }};
}
#else
constexpr Backend thisBackend = Backend::cpu;
#endif

// For Progress: how far the executor is with a launch of many blocks.
inline std::string blocksDone() {
#ifndef __CUDACC__
  const simt::Position at = simt::position();
  if (at.ended < at.blocks)
    return ", block " + std::to_string(at.ended + 1) + " of " + std::to_string(at.blocks);
#endif
  return "";
}

// "sample 3 of 30", or nothing where there is but one.
inline std::string sampleName(unsigned round, unsigned warmUps, unsigned samples) {
  if (round < warmUps) return ", warming up";
  if (samples == 1) return "";
  return ", sample " + std::to_string(round - warmUps + 1) + " of " + std::to_string(samples);
}

inline void printMachine(const Report& report) {
  const Machine& m = report.machine;
  if (report.backend == Backend::gpu) {
    std::cout << m.name << ", " << m.sms << " SMs, " << int(m.peakGbps + 0.5)
              << " GB/s theoretical, driver " << m.driver << ", CUDA " << m.cuda << '\n';
  } else {
    std::cout << (!gpuPresent() ? "No GPU here: the" : "The") << " kernels run on the CPU ("
              << m.name << ") under the SIMT executor, which counts instead of timing\n";
  }
}

inline void printHeader(const Report& report) {
  printMachine(report);
  std::cout << "n = " << countName(report.n) << ' ' << report.type;
  if (report.type == "int32") std::cout << " (" << report.n * 4 / 1e6 << " MB)";
  std::cout << ", ";
  if (report.block > 0) std::cout << "block " << report.block << ", ";
  std::cout << "seed " << report.seed;
  if (report.backend == Backend::gpu)
    std::cout << ", medians of " << report.samples << " interleaved samples, " << report.cache;
  std::cout << "\n\n";
}

inline std::optional<Options> parseLessonOptions(int argc, char** argv, const std::string& program,
                                                 const std::vector<Mode>& modes = {},
                                                 bool draws = false) {
  return parseOptions(argc, argv, program, thisBackend,
                      thisBackend == Backend::gpu ? "2^28" : "2^20", modes, {}, draws);
}

// Describes the machine that the options choose, and sets the executor up as they say.
inline Report startReport(const Options& options, const std::string& program) {
#ifndef __CUDACC__
  using Order = simt::Schedule::Order;
  simt::settings().schedule = {options.schedule == "reverse"  ? Order::reverse
                               : options.schedule == "random" ? Order::random
                                                              : Order::forward,
                               options.scheduleSeed};
  simt::settings().findFaults = !options.fast;
#endif
  return {.program = program,
          .backend = thisBackend,
          .machine = selectDevice(options.device, program),
          .block = options.block,
          .samples = options.samples,
          .seed = options.seed,
          .label = options.label,
          .date = utcNow(),
          .command = options.command};
}

inline void printReport(const Report& report, const Options& options) {
  if (report.backend == Backend::gpu)
    printTimes(report);
  else
    printCounters(report, options.allCounters);
}

// Says on stderr what was wrong in a report. Returns the exit code.
inline int complain(const Report& report) {
  for (const StepResult& step : report.steps)
    if (!step.fault.empty())
      std::cerr << report.program << ": " << step.fault << '\n';
    else if (!step.ok && step.realResult)
      std::cerr << report.program << ": " << step.name << " is wrong: " << *step.realResult
                << " instead of " << step.realExpected << '\n';
    else if (!step.ok)
      std::cerr << report.program << ": " << step.name << " is wrong: " << step.result
                << " instead of " << step.expected << '\n';
  return report.allRight() ? exitRight : exitWrong;
}

// The step that --svg draws, or the end.
inline std::vector<Step>::const_iterator drawnStep(const std::vector<Step>& steps) {
  return std::find_if(steps.begin(), steps.end(),
                      [](const Step& step) { return step.drawnElements > 0; });
}

#ifndef __CUDACC__
constexpr unsigned drawnThreads = 64;  // two warps: enough to see that one of them rests

// What one block of the step does to ones, so that no element goes unnoticed in the sum. Throws
// simt::Fault, and Error (exitWrong) when the sum is wrong.
inline std::vector<Stage> stagesOf(const Step& step) {
  const size_t n = step.drawnElements;
  Input ones{std::make_unique<int[]>(n), n, int64_t(n)};
  std::fill_n(ones.values.get(), n, 1);
  Workspace workspace(ones, drawnThreads, 0);
  std::vector<simt::Event> events;
  int64_t sum = 0;
  simt::recordEvents(&events);
  try {
    workspace.run(step, &sum);
  } catch (...) {
    simt::recordEvents(nullptr);
    throw;
  }
  simt::recordEvents(nullptr);
  if (sum != ones.sum)
    throw Error(exitWrong, step.name + " is wrong: " + std::to_string(sum) + " instead of " +
                               std::to_string(ones.sum));
  return stagesOf(events, drawnThreads);
}

// The body of a lesson program that was asked for its picture. Returns the exit code; throws Error.
inline int drawStep(const Options& options, const std::string& program, const Step& step) {
  if (!simt::instrumented())
    throw Error(exitUsage, "--svg: built with sanitizers, the executor sees no memory accesses");
  startReport(options, program);
  OutputFile file("--svg", options.svg, isBlockPicture, "a picture drawn by --svg");
  file.write(blockPicture(step.name, stagesOf(step)),
             step.name + ", 1 block of " + std::to_string(drawnThreads) + " threads, " +
                 std::to_string(step.drawnElements) + " elements");
  return exitRight;
}
#endif

// The body of a lesson program: runs every step, prints the table, writes the result file;
// afterwards has the report before the last line. Returns the exit code; throws Error.
inline int runSteps(const Options& options, const std::string& program, std::vector<Step> steps,
                    void (*afterwards)(const Report&) = nullptr) {
#ifndef __CUDACC__
  if (!options.svg.empty()) return drawStep(options, program, *drawnStep(steps));
#endif
  Report report = startReport(options, program);
  ResultFile file(options.json);
  report.n = chooseN(options, thisBackend, report.machine);

  size_t flushBytes = 0;
#ifdef __CUDACC__
  steps.push_back(librarySum());
  flushBytes = 4 * report.machine.l2Bytes;
  report.cache = "L2 flushed before each sample";
#endif
  printHeader(report);
  const auto skipped = std::stable_partition(steps.begin(), steps.end(),
                                             [](const Step& step) { return step.runsHere(); });
  std::string skippedNames;
  for (auto step = skipped; step != steps.end(); ++step)
    skippedNames += (skippedNames.empty() ? "" : ", ") + step->name;
  steps.erase(skipped, steps.end());

  std::optional<Progress> progress(std::in_place, program, blocksDone);
  progress->show("making the input");
  const Input input = makeInput(report.n, options.seed);
  Workspace workspace(input, options.block, flushBytes);
  for (const Step& step : steps)
    report.steps.push_back({.lesson = step.lesson,
                            .name = step.name,
                            .basedOn = step.basedOn,
                            .ok = true,
                            .expected = input.sum,
                            .blocks = workspace.blocks(step)});

  // Warm-up rounds first, then the samples of all steps in turn, so that drift hits all alike.
  const unsigned warmUps = thisBackend == Backend::gpu ? 3 : 0;
  const unsigned samples = thisBackend == Backend::gpu ? options.samples : 1;
  for (unsigned round = 0; round < warmUps + samples; ++round) {
    for (size_t i = 0; i < steps.size(); ++i) {
      StepResult& result = report.steps[i];
      progress->show(steps[i].name + sampleName(round, warmUps, samples));
#ifdef __CUDACC__
      const Sample sample = workspace.run(steps[i], &result.result);
      if (round >= warmUps) {
        result.kernelMs.push_back(sample.kernelMs);
        result.answerMs.push_back(sample.answerMs);
      }
#else
      try {
        result.counters = workspace.run(steps[i], &result.result).counters;
      } catch (const simt::Fault& fault) {
        result.fault = fault.what();
        result.ok = false;
      }
#endif
      result.ok = result.ok && result.result == input.sum;
    }
  }

  progress.reset();
  printReport(report, options);
  if (afterwards) afterwards(report);
  if (!skippedNames.empty())
    std::cout << "skipped, as "
              << (thisBackend == Backend::gpu ? "this GPU lacks" : "only a GPU has")
              << " what it takes: " << skippedNames << '\n';
  std::cout << "sum " << input.sum << (report.allRight() ? ": every step is right\n" : "\n")
            << std::flush;
  file.write(report);
  return complain(report);
}

// The same for a program that knows no options but the usual ones.
inline int runSteps(int argc, char** argv, const std::string& program,
                    const std::vector<Step>& steps, void (*afterwards)(const Report&) = nullptr) {
  const auto options = parseLessonOptions(argc, argv, program, {}, drawnStep(steps) != steps.end());
  return options ? runSteps(*options, program, steps, afterwards) : int(exitRight);
}
