// The steps of lesson 04: what its program, the ladder and the tests run.
#pragma once

#include "../03_neighbored_less/steps.h"
#include "measure/step.h"

// In interleaved.cuh, which is compiled by itself.
__global__ void interleaved(int* data, int* blockSums, size_t n);
__global__ void interleavedShared(int* data, int* blockSums, size_t n);

inline std::vector<Step> interleavedSteps() {
  return {{.lesson = "04_interleaved",
           .name = "interleaved",
           .basedOn = "neighbored less",
           .kernel = interleaved},
          {.lesson = "04_interleaved",
           .name = "interleaved, shared",
           .basedOn = "neighbored less, shared",
           .kernel = interleavedShared}};
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo04() { return joinSteps({ladderTo03(), interleavedSteps()}); }
