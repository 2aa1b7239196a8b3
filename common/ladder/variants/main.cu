// Kernels beside the steps that they change: counts and times of the exercises' answers, and of the
// steps of 05 to 07 in shared memory and registers.
#include "variants.h"

#include "../../../08_shuffle/steps.h"
#include "program/lesson.h"

int main(int argc, char** argv) {
  const std::vector<Step> steps = selectSteps(
      ladderTo08(), {"neighbored", "neighbored less, shared", "interleaved", "unroll 2", "unroll 8",
                     "unroll 8 + warp", "complete unroll", "unroll 8 + shuffle"});
  return runLesson(
      argc, argv,
      {.program = "variants", .steps = joinSteps({steps, variantSteps(), controlSteps()})});
}
