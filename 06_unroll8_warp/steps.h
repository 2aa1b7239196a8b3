// The steps of lesson 06: what its program, the ladder and the tests run.
#pragma once

#include "../05_unroll2/steps.h"
#include "measure/step.h"

// In unroll8_warp.cuh, which is compiled by itself.
__global__ void unroll8(int* data, int* blockSums, size_t n);
__global__ void unroll8Warp(int* data, int* blockSums, size_t n);

inline std::vector<Step> unroll8Steps() {
  return {{.lesson = "06_unroll8_warp",
           .name = "unroll 8",
           .basedOn = "unroll 2",
           .kernel = unroll8,
           .elementsPerThread = 8},
          {.lesson = "06_unroll8_warp",
           .name = "unroll 8 + warp",
           .basedOn = "unroll 8",
           .kernel = unroll8Warp,
           .elementsPerThread = 8}};
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo06() { return joinSteps({ladderTo05(), unroll8Steps()}); }
