// The sum of a matrix in rounds, inside the blocks and outside of them, with the time of each
// round.
#include "base/program_main.h"
#include "program.h"

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
