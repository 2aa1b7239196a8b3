// The smallest element, mean and variance, and the sums of rows and columns of a matrix.
#include "base/program_main.h"
#include "program.h"

int main(int argc, char** argv) {
  return runProgram(program, [&]() -> int {
    const unsigned standard = onGpu ? 16384 : 512;
    const auto options = parseOptions(argc, argv,
                                      {.program = program,
                                       .backend = thisBackend,
                                       .sizes = {{"--rows", "rows of the matrix", standard},
                                                 {"--cols", "columns of the matrix", standard}}});
    return options ? reductions(*options) : int(exitRight);
  });
}
