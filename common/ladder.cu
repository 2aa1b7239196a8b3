// All steps of the lessons in one process and one table, the library last.
#include "../02_neighbored/neighbored.cuh"
#include "../03_neighbored_less/neighbored_less.cuh"
#include "../04_interleaved/interleaved.cuh"
#include "lesson.h"

static int ladder(int argc, char** argv) {
  return runSteps(argc, argv, "ladder",
                  {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
                   {.lesson = "02_neighbored",
                    .name = "neighbored, shared",
                    .basedOn = "neighbored",
                    .kernel = neighboredShared},
                   {.lesson = "03_neighbored_less",
                    .name = "neighbored less",
                    .basedOn = "neighbored",
                    .kernel = neighboredLess},
                   {.lesson = "03_neighbored_less",
                    .name = "neighbored less, shared",
                    .basedOn = "neighbored, shared",
                    .kernel = neighboredLessShared},
                   {.lesson = "04_interleaved",
                    .name = "interleaved",
                    .basedOn = "neighbored less",
                    .kernel = interleaved},
                   {.lesson = "04_interleaved",
                    .name = "interleaved, shared",
                    .basedOn = "neighbored less, shared",
                    .kernel = interleavedShared}});
}

int main(int argc, char** argv) { return runProgram("ladder", ladder, argc, argv); }
