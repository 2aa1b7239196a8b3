#include "../02_neighbored/neighbored.cuh"
#include "../04_interleaved/interleaved.cuh"
#include "exercise.cuh"
#include "goals.h"
#include "lesson.h"
#include "unroll2.cuh"

static int lesson(int argc, char** argv) {
  return runSteps(argc, argv, exerciseWith(exercise, exerciseElementsPerThread),
                  {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
                   {.lesson = "04_interleaved",
                    .name = "interleaved",
                    .basedOn = "neighbored",
                    .kernel = interleaved},
                   {.lesson = "05_unroll2",
                    .name = "unroll 2",
                    .basedOn = "interleaved",
                    .kernel = unroll2,
                    .elementsPerThread = 2,
                    .drawnElements = 128}});
}

int main(int argc, char** argv) { return runProgram("05_unroll2", lesson, argc, argv); }
