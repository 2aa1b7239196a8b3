// The steps of lesson 05: what its program, the ladder and the tests run.
#pragma once

#include "../04_interleaved/steps.h"
#include "measure/step.h"

// In unroll2.cuh, which is compiled by itself.
__global__ void unroll2(int* data, int* blockSums, size_t n);

inline std::vector<Step> unroll2Steps() {
  return {{.lesson = "05_unroll2",
           .name = "unroll 2",
           .basedOn = "interleaved",
           .kernel = unroll2,
           .elementsPerThread = 2}};
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo05() { return joinSteps({ladderTo04(), unroll2Steps()}); }
