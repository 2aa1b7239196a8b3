// The sum of a matrix in rounds, inside the blocks and outside of them, with the time of each
// round.
#include "matrix_sum.h"

#include <cmath>

#include "lesson.h"
#include "random.h"

static const std::string program = "matrix_sum";

static void checkMemory(uint64_t height, uint64_t width, const Machine& machine) {
  const bool gpu = thisBackend == Backend::gpu;
  const double device = 4.1 * double(height) * double(width) + 4.0 * double(machine.l2Bytes) + 64e6;
  const double host = 4.0 * double(height) * double(width) + 64e6 + (gpu ? 0 : 3.5 * device);
  const bool onDevice = gpu && device > double(machine.freeBytes);
  if (!onDevice && host <= double(machine.hostFreeBytes)) return;
  throw Error(exitUsage,
              "--rows " + std::to_string(height) + " --cols " + std::to_string(width) + " needs " +
                  fixed((onDevice ? device : host) / 1048576, 0) + " MiB of " +
                  (onDevice ? "GPU" : "host") + " memory and " +
                  std::to_string((onDevice ? machine.freeBytes : machine.hostFreeBytes) >> 20) +
                  " MiB are free: choose a smaller matrix");
}

static int lesson(int argc, char** argv) {
  const bool gpu = thisBackend == Backend::gpu;
  const unsigned standard = gpu ? 4096 : 512;
  const auto options = parseOptions(
      argc, argv, program, thisBackend, "", {},
      {{"--rows", "rows of the matrix", standard}, {"--cols", "columns of the matrix", standard}});
  if (!options) return exitRight;
  Report report = startReport(*options, program);
  ResultFile file(options->json);
  checkMemory(options->sizes[0], options->sizes[1], report.machine);
  const unsigned height = unsigned(options->sizes[0]), width = unsigned(options->sizes[1]);
  report.n = uint64_t(height) * width;
  report.type = "float";
  report.block = side * side;
  report.cache = "L2 flushed before each sample";
  report.sizes = {{"rows", height}, {"cols", width}};
  printMachine(report);
  std::cout << height << " × " << width << " floats (" << double(report.n) * 4e-6 << " MB), seed "
            << report.seed;
  if (gpu) std::cout << ", medians of " << report.samples << " samples, " << report.cache;
  std::cout << "\n\n";

  std::optional<Progress> progress(std::in_place, program, blocksDone);
  progress->show("making the input");
  std::vector<float> values(report.n);
  double expected = 0;
  for (size_t i = 0; i < values.size(); ++i)
    expected += values[i] = float(randomBits(report.seed, i) % 256);
  MatrixSum sum(values.data(), height, width);
  const std::vector<Round>& rounds = sum.rounds();
  DeviceArray<char> flush(4 * report.machine.l2Bytes, "the cache flush");
  flush.poison();

  // A step for all rounds together, and one for each.
  const std::vector<std::pair<std::string, RoundKernel>> ways = {{"inner", inner},
                                                                 {"outer", outer}};
  for (const auto& [name, kernel] : ways) {
    const std::string other = name == "outer" ? "inner" : "";
    for (size_t i = 0; i <= rounds.size(); ++i) {
      const std::string round = i == 0 ? ", all rounds" : ", round " + std::to_string(i);
      report.steps.push_back(
          {.lesson = "09_mean_matvec",
           .name = name + round,
           .basedOn = other.empty() ? "" : other + round,
           .ok = true,
           .blocks = i == 0 ? 1 : rounds[i - 1].outputs(),
           .n = i == 0 ? report.n : uint64_t(rounds[i - 1].height) * rounds[i - 1].width,
           .realExpected = expected});
      if (i > 0 && name == "outer")
        report.steps.back().blocks = (report.steps.back().blocks + 255) / 256;
    }
  }
  for (unsigned sample = 0; sample < (gpu ? report.samples + 3 : 1); ++sample) {
    for (size_t way = 0; way < ways.size(); ++way) {
      StepResult* const step = &report.steps[way * (rounds.size() + 1)];
      progress->show(step->name + sampleName(sample, 3, report.samples));
      sum.poison();
      readThroughCache(flush.data(), flush.size());
      try {
#ifdef __CUDACC__
        static std::vector<Event> marks(rounds.size() + 1);
        marks[0].record();
        for (size_t i = 0; i < rounds.size(); ++i) {
          sum.run(ways[way].second, i);
          marks[i + 1].record();
        }
        if (sample >= 3) step[0].kernelMs.push_back(marks.back().millisecondsSince(marks[0]));
        for (size_t i = 0; i < rounds.size() && sample >= 3; ++i)
          step[i + 1].kernelMs.push_back(marks[i + 1].millisecondsSince(marks[i]));
#else
        for (size_t i = 0; i < rounds.size(); ++i)
          step[i + 1].counters =
              timeOnce([] {}, [&] { sum.run(ways[way].second, i); }, [] {}).counters;
#endif
      } catch (const std::runtime_error& error) {
        if (gpu) throw;
        step[0].fault = error.what();
      }
      // Every value is a sum of 256 others, rounded: a few roundings for each round.
      step[0].realResult = sum.total();
      step[0].relativeError = std::abs(*step[0].realResult - expected) / std::max(expected, 1.0);
      step[0].ok = step[0].fault.empty() && step[0].ok && *step[0].relativeError <= 256 * 1.2e-7;
    }
  }

  progress.reset();
  if (gpu)
    printTimes(report);
  else
    printWholeCounters(report);
  std::cout << "sum " << fixed(expected, 0) << (report.allRight() ? ": both are right\n" : "\n")
            << std::flush;
  file.write(report);
  return complain(report);
}

int main(int argc, char** argv) { return runProgram(program, lesson, argc, argv); }
