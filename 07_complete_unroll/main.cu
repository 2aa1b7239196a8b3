#include "draw/timeline.h"
#include "exercise_task.h"
#include "practice_task.h"
#include "program/explore_page.h"
#include "program/lesson.h"
#include "steps.h"

BlockSumKernel exerciseFor(unsigned block);  // in exercise.cuh
// What it came as, and a solution.
extern BlockSumKernel (*const startingExercise)(unsigned block);
extern BlockSumKernel (*const solvedExercise)(unsigned block);

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo07(), {"neighbored", "unroll 8 + warp", "complete unroll"});
  return runLesson(
      argc, argv,
      {.program = "07_complete_unroll",
       .steps = steps,
       .modes = {exerciseMode(withEnds(exerciseTask(exerciseFor), exerciseTask(startingExercise),
                                       exerciseTask(solvedExercise)),
                              steps.back(), practiceOf07(practice)),
                 progressMode(), timelineMode(steps)},
       .explore = exploreSteps});
}
