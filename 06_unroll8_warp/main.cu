#include "../02_neighbored/neighbored.cuh"
#include "../05_unroll2/unroll2.cuh"
#include "exercise.cuh"
#include "goals.h"
#include "lesson.h"
#include "unroll8_warp.cuh"

static int lesson(int argc, char** argv) {
  return runSteps(argc, argv, exerciseWith(exercise, exerciseElementsPerThread),
                  {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
                   {.lesson = "05_unroll2",
                    .name = "unroll 2",
                    .basedOn = "neighbored",
                    .kernel = unroll2,
                    .elementsPerThread = 2},
                   {.lesson = "06_unroll8_warp",
                    .name = "unroll 8",
                    .basedOn = "unroll 2",
                    .kernel = unroll8,
                    .elementsPerThread = 8},
                   {.lesson = "06_unroll8_warp",
                    .name = "unroll 8 + warp",
                    .basedOn = "unroll 8",
                    .kernel = unroll8Warp,
                    .elementsPerThread = 8}});
}

int main(int argc, char** argv) { return runProgram("06_unroll8_warp", lesson, argc, argv); }
