// The steps of lesson 03: what its program, the ladder and the tests run.
#pragma once

#include "../02_neighbored/steps.h"
#include "measure/step.h"

// In neighbored_less.cuh, which is compiled by itself.
__global__ void neighboredLess(int* data, int* blockSums, size_t n);
__global__ void neighboredLessShared(int* data, int* blockSums, size_t n);

inline std::vector<Step> neighboredLessSteps() {
  return {{.lesson = "03_neighbored_less",
           .name = "neighbored less",
           .basedOn = "neighbored",
           .kernel = neighboredLess},
          {.lesson = "03_neighbored_less",
           .name = "neighbored less, shared",
           .basedOn = "neighbored, shared",
           .kernel = neighboredLessShared}};
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo03() { return joinSteps({ladderTo02(), neighboredLessSteps()}); }
