#include "draw/step_picture.h"
#include "exercise_task.h"
#include "program/lesson.h"
#include "steps.h"

__global__ void exercise(int* data, int* sums, size_t n);  // in exercise.cuh

int main(int argc, char** argv) {
  const std::vector<Step> steps = ladderTo03();
  return runLesson(argc, argv,
                   {.program = "03_neighbored_less",
                    .steps = steps,
                    .modes = {exerciseMode(exerciseTask(exercise), steps.back()),
                              pictureMode(findStep(steps, "neighbored less"), 64)}});
}
