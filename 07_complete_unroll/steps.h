// The steps of lesson 07: what its program, the ladder and the tests run.
#pragma once

#include "../06_unroll8_warp/steps.h"
#include "measure/step.h"

// In complete_unroll.cuh, which is compiled by itself: the kernel for blocks of this size.
BlockSumKernel completeUnrollFor(unsigned block);

inline std::vector<Step> completeUnrollSteps() {
  return {{.lesson = "07_complete_unroll",
           .name = "complete unroll",
           .basedOn = "unroll 8 + warp",
           .kernelFor = completeUnrollFor,
           .elementsPerThread = 8}};
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo07() { return joinSteps({ladderTo06(), completeUnrollSteps()}); }
