#include "neighbored.cuh"

#include "exercise.cuh"
#include "goals.h"
#include "lesson.h"

static int lesson(int argc, char** argv) {
  return runSteps(
      argc, argv, exerciseWith(exercise),
      {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored, .drawnElements = 64},
       {.lesson = "02_neighbored",
        .name = "neighbored, shared",
        .basedOn = "neighbored",
        .kernel = neighboredShared}});
}

int main(int argc, char** argv) { return runProgram("02_neighbored", lesson, argc, argv); }
