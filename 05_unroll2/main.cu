#include "draw/step_picture.h"
#include "draw/timeline.h"
#include "exercise_task.h"
#include "practice_task.h"
#include "program/explore_page.h"
#include "program/lesson.h"
#include "steps.h"

// In exercise.cuh.
__global__ void exercise(int* data, int* sums, size_t n);
extern const unsigned exerciseElementsPerThread;
// What it came as, and a solution.
extern const BlockSumKernel startingExercise, solvedExercise;
extern const unsigned startingElementsPerThread, solvedElementsPerThread;

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo05(), {"neighbored", "interleaved", "unroll 2"});
  return runLesson(
      argc, argv,
      {.program = "05_unroll2",
       .steps = steps,
       .modes = {exerciseMode(withEnds(exerciseTask(exercise, exerciseElementsPerThread),
                                       exerciseTask(startingExercise, startingElementsPerThread),
                                       exerciseTask(solvedExercise, solvedElementsPerThread)),
                              steps.back(), practiceOf05(practice)),
                 progressMode(), pictureMode(findStep(steps, "unroll 2"), 128),
                 timelineMode(steps)},
       .explore = exploreSteps});
}
