#include "draw/step_picture.h"
#include "draw/timeline.h"
#include "exercise_task.h"
#include "floating_point/mode.h"
#include "modes/demo.h"
#include "modes/lengths.h"
#include "modes/operators.h"
#include "modes/segments.h"
#include "modes/sweep.h"
#include "program/lesson.h"
#include "several_gpus/mode.h"
#include "steps.h"

__global__ void exercise(int* data, int* totals, size_t n);  // in exercise.cuh
// What it came as, and a solution.
extern const BlockSumKernel startingExercise, solvedExercise;

int main(int argc, char** argv) {
  return runAsRanks(argc, argv, "08_shuffle", [&](Ranks& ranks) {
    const Step blockSum = findStep(shuffleSteps(), "unroll 8 + shuffle");
    return runLesson(
        argc, argv,
        {.program = "08_shuffle",
         .steps = joinSteps(
             {selectSteps(ladderTo07(), {"neighbored", "complete unroll"}), shuffleSteps()}),
         .modes = {
             demoMode(), segmentsMode(segmentSteps()),
             exerciseMode(withEnds(exerciseTask(exercise), exerciseTask(startingExercise),
                                   exerciseTask(solvedExercise)),
                          blockSum),
             operatorsMode(), floatsMode(), sweepMode(), lengthsMode(), severalGpusMode(ranks),
             timelineMode(shuffleSteps()),
             pictureMode(blockSum, 64)}});  // the shuffles without the eight loads before them
  });
}
