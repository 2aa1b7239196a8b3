#include "draw/step_picture.h"
#include "exercise.cuh"
#include "exercise_task.h"
#include "program/lesson.h"
#include "steps.h"

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo05(), {"neighbored", "interleaved", "unroll 2"});
  return runLesson(
      argc, argv,
      {.program = "05_unroll2",
       .steps = steps,
       .modes = {exerciseMode(exerciseTask(exercise, exerciseElementsPerThread), steps.back()),
                 pictureMode(findStep(steps, "unroll 2"), 128)}});
}
