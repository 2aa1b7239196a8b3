#include "../02_neighbored/neighbored.cuh"
#include "../06_unroll8_warp/unroll8_warp.cuh"
#include "complete_unroll.cuh"
#include "exercise.cuh"
#include "goals.h"
#include "lesson.h"

static int lesson(int argc, char** argv) {
  return runSteps(argc, argv, exerciseWith(exerciseFor),
                  {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
                   {.lesson = "06_unroll8_warp",
                    .name = "unroll 8 + warp",
                    .basedOn = "neighbored",
                    .kernel = unroll8Warp,
                    .elementsPerThread = 8},
                   {.lesson = "07_complete_unroll",
                    .name = "complete unroll",
                    .basedOn = "unroll 8 + warp",
                    .kernelFor = completeUnrollFor,
                    .elementsPerThread = 8}});
}

int main(int argc, char** argv) { return runProgram("07_complete_unroll", lesson, argc, argv); }
