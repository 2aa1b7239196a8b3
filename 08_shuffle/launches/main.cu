// One sum, launched in every way that CUDA has.
#include "base/program_main.h"
#include "program.h"

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const auto options = parseOptions(
        argc, argv,
        {.program = program, .backend = thisBackend, .usualN = onGpu ? "2^28" : "2^16"});
    return options ? launches(*options) : int(exitRight);
  });
}
