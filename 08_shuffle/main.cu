#include "../02_neighbored/neighbored.cuh"
#include "../07_complete_unroll/complete_unroll.cuh"
#include "demo.h"
#include "exercise.cuh"
#include "goals.h"
#include "operators.h"
#include "segments.h"
#include "steps.h"

#ifdef __CUDACC__
#include "sweep.h"
#endif

static int lesson(int argc, char** argv) {
  const std::vector<Mode> modes = {
      {"--demo", "show what each lane receives from each shuffle"},
      {"--segments", "one sum for every 32 elements: shared memory against shuffles"},
      exerciseMode,
      {"--operators", "sum, minimum, maximum and product of four types"},
      {"--sweep", "our sums against CUB's from 2^10 to 2^30 elements", true}};
  const auto options = parseLessonOptions(argc, argv, "08_shuffle", modes, true);
  if (!options) return exitRight;
  if (options->mode == "--demo") return demoProgram(*options);
  if (options->mode == exerciseMode.flag)
    return runExercise(*options, exerciseWith(exercise), "unroll 8 + shuffle",
                       launchOf(unroll8Shuffle, 8));
  if (options->mode == "--operators") return operatorsProgram(*options);

  std::vector<SegmentStep> segments = segmentSteps();
  std::vector<Step> steps = {
      {.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
      {.lesson = "07_complete_unroll",
       .name = "complete unroll",
       .basedOn = "neighbored",
       .kernelFor = completeUnrollFor,
       .elementsPerThread = 8}};
  for (const Step& step : shuffleSteps()) steps.push_back(step);
  steps[2].drawnElements = 64;  // the shuffles without the eight loads before them
#ifdef __CUDACC__
  if (options->mode == "--sweep") return sweepProgram(*options);
  segments.push_back({"cub::WarpReduce, 8 warps", "shuffle, 8 warps per block", segmentsCub, 256});
#endif
  if (options->mode == "--segments") return segmentsProgram(*options, segments);
  return runSteps(*options, "08_shuffle", steps);
}

int main(int argc, char** argv) { return runProgram("08_shuffle", lesson, argc, argv); }
