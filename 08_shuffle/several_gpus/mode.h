// --gpus: the program around several_gpus.h.
#pragma once

#include <algorithm>
#include <bit>
#include <iostream>

#include "several_gpus.h"

// Powers of two, or the one that was asked for. On a GPU from 2^24 on, up to 2^32 in all or 2^30 on
// each GPU, as far as it fits.
inline std::vector<uint64_t> lengthsFor(const Options& options, const SeveralGpus& several) {
  constexpr bool onGpu = thisBackend == Backend::gpu;
  const unsigned gpus = several.cards.count();
  const Machine& machine = several.report.machine;
  const uint64_t least = onGpu ? uint64_t(1) << 24 : 1 << 16;
  const auto needs = [&](uint64_t n) {
    double bytes = 0;  // of the fullest card; on the executor, of all
    for (unsigned count = 1; count <= gpus; ++count)
      bytes += onGpu ? std::max(SumOnCards<Sum<long long>, int>::bytesFor(n, count),
                                SumOnCards<Sum<double>, double>::bytesFor(
                                    options.n ? n : std::min(n, least), count))
                     : 8.0 * double(n);
    return needsOf(bytes, 8.0 * double(RepeatedInput<double>::mostValues), machine);
  };
  if (options.n || !onGpu) return {chooseN(options.n, least, machine, needs)};
  const uint64_t most = std::max(uint64_t(1) << 32, std::bit_floor(gpus) * (uint64_t(1) << 30));
  const uint64_t largest = chooseN({}, most, machine, needs);
  std::vector<uint64_t> lengths;
  for (uint64_t n = std::min(least, largest); n <= largest; n *= 2) lengths.push_back(n);
  return lengths;
}

// "sum int32", "minimum int32" and so on, and the exact sums.
inline std::vector<std::string> operations() {
  std::vector<std::string> names;
  for (const char* type : {"int32", "int64", "float", "double"})
    for (const char* operation : {"sum", "minimum", "maximum"})
      names.push_back(fmt::format("{} {}", operation, type));
  for (const char* type : {"float", "double"}) names.push_back(fmt::format("exact sum {}", type));
  return names;
}

inline void printNcclAlone(const Report& report) {
  for (const StepResult& step : report.steps)
    if (step.lesson == "NCCL" && step.isTimed())
      std::cout << step.name << ", nothing else: " << timeAndSpreadInMicroseconds(step.kernelMs)
                << " µs\n";
}

inline int severalGpusProgram(const Options& options, Ranks& ranks) {
  Report report = startReport(options, "08_shuffle");
  ResultFile file(options.json);
  report.block = 0;
  report.type = "of each type";
  report.cache = "L2 flushed before each sample";
  SeveralGpus several(options, report, ranks);
  const std::vector<uint64_t> lengths = lengthsFor(options, several);
  report.n = lengths.back();
  several.connect();
  printHeader(report);
  std::cout << several.cards.description();
  if (several.cards.count() > 1) std::cout << ", " << several.allReduces.back()->name();
  if (thisBackend == Backend::gpu)
    std::cout << "; times by the host's clock, from the first launch until the result is there";
  std::cout << "\n\n";
  runType<int>(several, lengths);
  runType<long long>(several, {lengths.front()});
  runType<float>(several, {lengths.front()});
  runType<double>(several, {lengths.front()});
  runExactType<float>(several, lengths);
  runExactType<double>(several, lengths);
  for (const auto& allReduce : several.allReduces)
    if (thisBackend == Backend::gpu && allReduce->count() > 1)
      for (const size_t count : {size_t(1), size_t(chunkCount)})
        runAllReduceAlone(several, *allReduce, count);
  printCards(report, operations());
  printNcclAlone(report);
  return finish(report, file, "every result is right, and has the same bits on any number of GPUs");
}

inline Mode severalGpusMode(Ranks& ranks) {
  return gpusMode(ranks, "sums on 1 to N GPUs that share an array; the cpu program imagines them",
                  severalGpusProgram, {{"--block", "chooses its own"}});
}
