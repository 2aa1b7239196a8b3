// Mean and variance, and what a softmax divides by, of rows of bfloat16.
#include "base/program_main.h"
#include "program.h"

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const auto options =
        parseOptions(argc, argv,
                     {.program = program,
                      .backend = thisBackend,
                      .sizes = {{"--rows", "rows; with --cols instead of a list of lengths", 64},
                                {"--cols", "elements of a row", onGpu ? 100000u : 1000u}}});
    return options ? bf16Rows(*options) : int(exitRight);
  });
}
