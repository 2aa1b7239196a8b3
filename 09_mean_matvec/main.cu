#include "base/program_main.h"
#include "exercise_task.h"
#include "explore_versions.h"
#include "practice_task.h"
#include "program.h"
#include "several_gpus.h"

// exercise.cuh, what it came as, and a solution.
__global__ void exercise(const double* matrix, double* means, unsigned rows, unsigned columns);
extern const ColumnMeansKernel startingExercise, solvedExercise;

// Does what the command line asks for. Returns the exit code; throws Error.
int runAsAsked(int argc, char** argv, Ranks& ranks) {
  const Mode exercising = withSmall(
      exerciseMode<double>(withEnds(exerciseTask(exercise), exerciseTask(startingExercise),
                                    exerciseTask(solvedExercise)),
                           "row means alone", rowMeansOf),
      practiceOf09(practice));
  const Mode progress = progressMode();
  const Mode several = severalGpusMode(ranks);
  const auto options =
      parseOptions(argc, argv,
                   {.program = program,
                    .backend = thisBackend,
                    .modes = {exercising, several, progress},
                    .sizes = {{"--rows", "rows L of each matrix, and of the fixed L × L matrix",
                               onGpu ? 512u : 64u},
                              {"--cols", "columns M of each matrix", onGpu ? 512u : 96u},
                              {"--batch", "matrices N", onGpu ? 1024u : 32u}},
                    .explores = true});
  if (!options) return exitRight;
#ifndef GPU_BACKEND
  if (!options->explore.empty() && options->mode.empty())
    return exploreVersions(*options, versions());
#endif
  if (options->mode == exercising.flag) return exercising.run(*options);
  if (options->mode == progress.flag) return progress.run(*options);
  if (options->mode == several.flag) return several.run(*options);
  return meanMatvec(*options, versions());
}

int main(int argc, char** argv) {
  return runAsRanks(argc, argv, program, [&](Ranks& ranks) {
    return runProgram(program, [&] { return runAsAsked(argc, argv, ranks); });
  });
}
