#include "draw/step_picture.h"
#include "draw/timeline.h"
#include "exercise_task.h"
#include "modes/modes.h"
#include "multi_gpu/ranks.h"
#include "practice_task.h"
#include "program/explore_page.h"
#include "program/lesson.h"
#include "steps.h"

__global__ void exercise(int* data, int* totals, size_t n);  // in exercise.cuh
// What it came as, and a solution.
extern const BlockSumKernel startingExercise, solvedExercise;

int main(int argc, char** argv) {
  return runAsRanks(argc, argv, "08_shuffle", [&](Ranks& ranks) {
    const Step blockSum = findStep(shuffleSteps(), "unroll 8 + shuffle");
    std::vector<Mode> modes = modesOf08(ranks);
    modes.push_back(exerciseMode(withEnds(exerciseTask(exercise), exerciseTask(startingExercise),
                                          exerciseTask(solvedExercise)),
                                 blockSum, practiceOf08(practice)));
    modes.push_back(progressMode());
    modes.push_back(timelineMode(shuffleSteps()));
    modes.push_back(pictureMode(blockSum, 64));  // the shuffles without the eight loads before them
    return runLesson(
        argc, argv,
        {.program = "08_shuffle",
         .steps = joinSteps(
             {selectSteps(ladderTo07(), {"neighbored", "complete unroll"}), shuffleSteps()}),
         .modes = modes,
         .explore = exploreSteps});
  });
}
