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
  const std::vector<Step> steps = ladderTo03();
  return runLesson(
      argc, argv,
      {.program = "03_neighbored_less",
       .steps = steps,
       .modes = {exerciseMode(withEnds(exerciseTask(exercise), exerciseTask(startingExercise),
                                       exerciseTask(solvedExercise)),
                              steps.back(), practiceOf03(practice)),
                 progressMode(), pictureMode(findStep(steps, "neighbored less"), 64),
                 timelineMode(steps)},
       .explore = exploreSteps});
}
