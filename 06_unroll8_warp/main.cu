#include "draw/timeline.h"
#include "exercise_task.h"
#include "practice_task.h"
#include "program/explore_page.h"
#include "program/lesson.h"
#include "steps.h"

// In exercise.cuh.
__global__ void exercise(int* data, int* maxima, size_t n);
extern const unsigned exerciseElementsPerThread;
// What it came as, and a solution.
extern const BlockSumKernel startingExercise, solvedExercise;
extern const unsigned startingElementsPerThread, solvedElementsPerThread;

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo06(), {"neighbored", "unroll 2", "unroll 8", "unroll 8 + warp"});
  return runLesson(
      argc, argv,
      {.program = "06_unroll8_warp",
       .steps = steps,
       .modes = {exerciseMode(withEnds(exerciseTask(exercise, exerciseElementsPerThread),
                                       exerciseTask(startingExercise, startingElementsPerThread),
                                       exerciseTask(solvedExercise, solvedElementsPerThread)),
                              steps.back(), practiceOf06(practice)),
                 progressMode(), timelineMode(steps)},
       .explore = exploreSteps});
}
