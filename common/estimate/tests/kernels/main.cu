// Runs the kernels: times on a GPU, counts and estimates without one.
#include "base/format.h"

#include <iostream>

#include "base/program_main.h"
#include "launches.h"
#include "program/run.h"
#include "report/result_file.h"
#include "report/tables.h"

const std::string program = "public_kernels";

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const auto options =
        parseOptions(argc, argv, {.program = program, .backend = thisBackend, .usualN = "2^26"});
    if (!options) return exitRight;
    Report report = startReport(*options, program);
    ResultFile file(options->json);
    report.n = options->n.value_or(uint64_t(1) << (thisBackend == Backend::gpu ? 26 : 14));
    if (report.n < 8192 || (report.n & (report.n - 1)) != 0)
      throw Error(exitUsage, "--n: a power of two from 2^13 on");
    report.block = 0;
    report.cache = "L2 flushed before each sample";
    PublicArrays arrays(report.n, report.seed);
    DeviceStopwatch stopwatch = stopwatchFor(*options, report);
    report.steps = stopwatch.measure(publicKernels(arrays, report.n), samplingOf(*options));
    if (thisBackend == Backend::gpu)
      printTimes(report);
    else
      printWholeCounters(report);
    file.write(report);
    return complain(report);
  });
}
