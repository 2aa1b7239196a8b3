#include "draw/step_picture.h"
#include "exercise_task.h"
#include "program/lesson.h"
#include "steps.h"

__global__ void exercise(int* data, int* sums, size_t n);  // in exercise.cuh

int main(int argc, char** argv) {
  const std::vector<Step> steps =
      selectSteps(ladderTo04(), {"neighbored", "neighbored less", "neighbored less, shared",
                                 "interleaved", "interleaved, shared"});
  return runLesson(argc, argv,
                   {.program = "04_interleaved",
                    .steps = steps,
                    .modes = {exerciseMode(exerciseTask(exercise), steps.back()),
                              pictureMode(findStep(steps, "interleaved"), 64)}});
}
