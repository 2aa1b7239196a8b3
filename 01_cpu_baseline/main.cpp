#include "base/program_main.h"
#include "program.h"

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const auto options =
        parseOptions(argc, argv, {.program = program, .backend = Backend::cpu, .usualN = "2^26"});
    return options ? measureCpuSteps(*options, cpuSteps) : int(exitRight);
  });
}
