#include "../02_neighbored/neighbored.cuh"
#include "../03_neighbored_less/neighbored_less.cuh"
#include "exercise.cuh"
#include "goals.h"
#include "interleaved.cuh"
#include "lesson.h"

static int lesson(int argc, char** argv) {
  return runSteps(argc, argv, exerciseWith(exercise),
                  {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
                   {.lesson = "03_neighbored_less",
                    .name = "neighbored less",
                    .basedOn = "neighbored",
                    .kernel = neighboredLess},
                   {.lesson = "03_neighbored_less",
                    .name = "neighbored less, shared",
                    .basedOn = "neighbored less",
                    .kernel = neighboredLessShared},
                   {.lesson = "04_interleaved",
                    .name = "interleaved",
                    .basedOn = "neighbored less",
                    .kernel = interleaved,
                    .drawnElements = 64},
                   {.lesson = "04_interleaved",
                    .name = "interleaved, shared",
                    .basedOn = "neighbored less, shared",
                    .kernel = interleavedShared}});
}

int main(int argc, char** argv) { return runProgram("04_interleaved", lesson, argc, argv); }
