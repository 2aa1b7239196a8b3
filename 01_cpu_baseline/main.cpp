#include "base/program_main.h"
#include "practice_task.h"
#include "program.h"

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const std::vector<Mode> modes = {cpuPracticeMode(program, practice), progressMode()};
    const auto options = parseOptions(
        argc, argv,
        {.program = program, .backend = Backend::cpu, .usualN = "2^26", .modes = modes});
    if (!options) return exitRight;
    for (const Mode& mode : modes)
      if (mode.flag == options->mode) return mode.run(*options);
    return measureCpuSteps(*options, cpuSteps);
  });
}
