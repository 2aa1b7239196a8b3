// The frozen set: times on a GPU, counts without one, every result checked on either.
#include <iostream>

#include "arithmetic_launches.h"
#include "base/format.h"
#include "base/program_main.h"
#include "block_launches.h"
#include "memory_launches.h"
#include "place_launches.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"

const std::string program = "frozen_kernels";

static std::vector<Task> frozenSet(frozen::Arrays& arrays) {
  using namespace frozen;
  List list(arrays);
  for (const auto add :
       {addStreams, addPlacesOfMemory, addStencils, addTranspositions, addBothProducts, addRows,
        addScansAndSorts, addReductions, addCounting, addText, addPolynomials, addDoublesAndHalves,
        addIntegersAndFunctions, addBodies, addPartingLanes, addLocalAndConstant, addFewThreads,
        addOccupancy})
    add(arrays, list);
  return list.tasks;
}

// Each launch once, for the profiler: kernel after kernel, under the names that are printed.
static int runOnce(const Options& options) {
  startReport(options, program);
  frozen::Arrays arrays(options.n.value_or(1 << 25));
  for (const Task& task : frozenSet(arrays)) {
    std::cout << "launch " << task.step.name << "\n";
    task.prepare();
    task.run();
  }
  return exitRight;
}

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const auto options = parseOptions(
        argc, argv,
        {.program = program,
         .backend = thisBackend,
         .usualN = "2^25",
         .modes = {
             {.flag = "--once", .help = "launch each once, for the profiler", .run = runOnce}}});
    if (!options) return exitRight;
    if (const uint64_t n = options->n.value_or(1 << 25); n < 1 << 14 || (n & (n - 1)) != 0)
      throw Error(exitUsage, "--n: a power of two from 2^14 on");
    if (options->mode == "--once") return runOnce(*options);
    Report report = startReport(*options, program);
    ResultFile file(options->json);
    report.n = options->n.value_or(thisBackend == Backend::gpu ? 1 << 25 : 1 << 14);
    report.block = 0;
    report.cache = "L2 flushed before each sample";
    frozen::Arrays arrays(report.n);
    DeviceStopwatch stopwatch = stopwatchFor(*options, report);
    report.steps = stopwatch.measure(frozenSet(arrays), samplingOf(*options));
    if (thisBackend == Backend::gpu)
      printTimes(report);
    else
      printWholeCounters(report);
    file.write(report);
    return complain(report);
  });
}
