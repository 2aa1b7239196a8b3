// What the exercises of lessons 02 to 04 ask for, beside the steps that it changes.
#pragma once

#include "../../04_interleaved/steps.h"
#include "measure/step.h"

// In each lesson's variants.cuh, which are compiled by themselves.
__global__ void neighboredModuloFirst(int* data, int* blockSums, size_t n);
__global__ void neighboredLessPadded(int* data, int* blockSums, size_t n);
__global__ void interleavedThread0Adds32(int* data, int* blockSums, size_t n);

inline std::vector<Step> variantSteps() {
  const auto variant = [](const std::string& lesson, const std::string& of, const std::string& name,
                          BlockSumKernel kernel) {
    return Step{.lesson = lesson, .name = of + ", " + name, .basedOn = of, .kernel = kernel};
  };
  return {variant("02_neighbored", "neighbored", "modulo first", neighboredModuloFirst),
          variant("03_neighbored_less", "neighbored less, shared", "padded", neighboredLessPadded),
          variant("04_interleaved", "interleaved", "thread 0 adds 32", interleavedThread0Adds32)};
}
