#include "../02_neighbored/neighbored.cuh"
#include "exercise.cuh"
#include "goals.h"
#include "lesson.h"
#include "neighbored_less.cuh"

static int lesson(int argc, char** argv) {
  return runSteps(argc, argv, exerciseWith(exercise),
                  {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
                   {.lesson = "02_neighbored",
                    .name = "neighbored, shared",
                    .basedOn = "neighbored",
                    .kernel = neighboredShared},
                   {.lesson = "03_neighbored_less",
                    .name = "neighbored less",
                    .basedOn = "neighbored",
                    .kernel = neighboredLess,
                    .drawnElements = 64},
                   {.lesson = "03_neighbored_less",
                    .name = "neighbored less, shared",
                    .basedOn = "neighbored, shared",
                    .kernel = neighboredLessShared}});
}

int main(int argc, char** argv) { return runProgram("03_neighbored_less", lesson, argc, argv); }
