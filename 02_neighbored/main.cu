#include "draw/step_picture.h"
#include "exercise_task.h"
#include "program/lesson.h"
#include "steps.h"

__global__ void exercise(int* data, int* ranges, size_t n);  // in exercise.cuh

int main(int argc, char** argv) {
  const std::vector<Step> steps = ladderTo02();
  return runLesson(argc, argv,
                   {.program = "02_neighbored",
                    .steps = steps,
                    .modes = {exerciseMode(exerciseTask(exercise), steps.back()),
                              pictureMode(findStep(steps, "neighbored"), 64)}});
}
