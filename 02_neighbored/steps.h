// The steps of lesson 02: what its program, the ladder and the tests run.
#pragma once

#include "measure/step.h"

// In neighbored.cuh, which is compiled by itself.
__global__ void neighbored(int* data, int* blockSums, size_t n);
__global__ void neighboredShared(int* data, int* blockSums, size_t n);

inline std::vector<Step> neighboredSteps() {
  return {{.lesson = "02_neighbored", .name = "neighbored", .kernel = neighbored},
          {.lesson = "02_neighbored",
           .name = "neighbored, shared",
           .basedOn = "neighbored",
           .kernel = neighboredShared}};
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo02() { return neighboredSteps(); }
