#include "draw/step_picture.h"
#include "draw/timeline.h"
#include "exercise_task.h"
#include "practice_task.h"
#include "program/explore_page.h"
#include "program/lesson.h"
#include "steps.h"

__global__ void exercise(int* data, int* sums, size_t n);  // in exercise.cuh
// What it came as, and a solution.
extern const BlockSumKernel startingExercise, solvedExercise;

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo04(), {"neighbored", "neighbored less", "neighbored less, shared",
                                 "interleaved", "interleaved, shared"});
  return runLesson(
      argc, argv,
      {.program = "04_interleaved",
       .steps = steps,
       .modes = {exerciseMode(withEnds(exerciseTask(exercise), exerciseTask(startingExercise),
                                       exerciseTask(solvedExercise)),
                              steps.back(), practiceOf04(practice)),
                 progressMode(), pictureMode(findStep(steps, "interleaved"), 64),
                 timelineMode(steps)},
       .explore = exploreSteps});
}
