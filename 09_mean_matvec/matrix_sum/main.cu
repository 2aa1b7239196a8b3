// The sum of a matrix in rounds, inside the blocks and outside of them, with the time of each
// round.
#include "base/format.h"

#include <cmath>
#include <iostream>

#include "base/program_main.h"
#include "base/random.h"
#include "measure/memory_budget.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"
#include "rounds.h"

static const std::string program = "matrix_sum";
static constexpr bool onGpu = thisBackend == Backend::gpu;

static void checkMemory(uint64_t height, uint64_t width, const Machine& machine) {
  const double bytes = 4.0 * double(height) * double(width);
  const Needs needs = needsOf(1.03 * bytes, bytes, machine);
  if (!needs.fit(machine))
    needs.refuse(fmt::format("--rows {} --cols {}", height, width), machine,
                 "choose a smaller matrix");
}

// The task that runs all rounds of one way; the step of all of them, and one for each.
static Task taskFor(MatrixSum& sum, const std::string& name, RoundKernel kernel, double expected,
                    const std::string& other) {
  const std::vector<Round>& rounds = sum.rounds();
  const auto stepOf = [&](const std::string& round, uint64_t n, uint64_t outputs) {
    return StepResult{.lesson = "09_mean_matvec",
                      .name = name + round,
                      .basedOn = other.empty() ? "" : other + round,
                      .blocks = name == "outer" ? (outputs + 255) / 256 : outputs,
                      .n = n,
                      .realExpected = expected};
  };
  const uint64_t all = uint64_t(rounds[0].height) * rounds[0].width;
  Task task{.step = stepOf(", all rounds", all, 1), .prepare = [&sum] { sum.poison(); }};
  for (size_t i = 0; i < rounds.size(); ++i)
    task.parts.push_back({stepOf(fmt::format(", round {}", i + 1),
                                 uint64_t(rounds[i].height) * rounds[i].width, rounds[i].outputs()),
                          [&sum, kernel, i] { sum.run(kernel, i); }});
  // Every value is a sum of 256 others, rounded: a few roundings for each round.
  task.check = [&sum, expected](StepResult& step) {
    step.realResult = sum.total();
    step.relativeError = std::abs(*step.realResult - expected) / std::max(expected, 1.0);
    step.ok = step.ok && *step.relativeError <= 256 * 1.2e-7;
  };
  return task;
}

static void describe(Report& report, unsigned height, unsigned width) {
  report.n = uint64_t(height) * width;
  report.type = "float";
  report.block = side * side;
  report.cache = "L2 flushed before each sample";
  report.sizes = {{"rows", height}, {"cols", width}};
  printMachine(report);
  std::cout << fmt::format("{} × {} floats ({:g} MB), seed {}", height, width,
                           double(report.n) * 4e-6, report.seed);
  if (onGpu) std::cout << fmt::format(", medians of {} samples, {}", report.samples, report.cache);
  std::cout << "\n\n";
}

static int matrixSum(const Options& options) {
  Report report = startReport(options, program);
  ResultFile file(options.json);
  checkMemory(options.sizes[0], options.sizes[1], report.machine);
  const unsigned height = unsigned(options.sizes[0]), width = unsigned(options.sizes[1]);
  describe(report, height, width);

  std::vector<float> values(report.n);
  double expected = 0;
  for (size_t i = 0; i < values.size(); ++i)
    expected += values[i] = float(randomBits(report.seed, i) % 256);
  MatrixSum sum(values.data(), height, width);
  DeviceStopwatch stopwatch = stopwatchFor(options, report);
  report.steps = stopwatch.measure(
      {taskFor(sum, "inner", inner, expected, ""), taskFor(sum, "outer", outer, expected, "inner")},
      samplingOf(options));
  if (onGpu)
    printTimes(report);
  else
    printWholeCounters(report);
  std::cout << fmt::format("sum {:.0f}", expected)
            << (report.allRight() ? ": both are right\n" : "\n") << std::flush;
  file.write(report);
  return complain(report);
}

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const unsigned standard = onGpu ? 4096 : 512;
    const auto options = parseOptions(argc, argv,
                                      {.program = program,
                                       .backend = thisBackend,
                                       .sizes = {{"--rows", "rows of the matrix", standard},
                                                 {"--cols", "columns of the matrix", standard}}});
    return options ? matrixSum(*options) : int(exitRight);
  });
}
