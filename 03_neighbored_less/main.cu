#include "draw/step_picture.h"
#include "exercise.cuh"
#include "exercise_task.h"
#include "program/lesson.h"
#include "steps.h"

int main(int argc, char** argv) {
  const std::vector<Step> steps = ladderTo03();
  return runLesson(argc, argv,
                   {.program = "03_neighbored_less",
                    .steps = steps,
                    .modes = {exerciseMode(exerciseTask(exercise), steps.back()),
                              pictureMode(findStep(steps, "neighbored less"), 64)}});
}
