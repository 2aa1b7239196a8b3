// Kernels beside the lessons' steps: what the exercises of 02 to 04 ask for, and the controls of 05
// to 07.
#pragma once

#include "../../../07_complete_unroll/steps.h"
#include "measure/step.h"

// In each lesson's variants.cuh, which are compiled by themselves.
__global__ void neighboredModuloFirst(int* data, int* blockSums, size_t n);
__global__ void neighboredLessPadded(int* data, int* blockSums, size_t n);
__global__ void interleavedThread0Adds32(int* data, int* blockSums, size_t n);
__global__ void unroll2Shared(int* data, int* blockSums, size_t n);
__global__ void unroll8Shared(int* data, int* blockSums, size_t n);
__global__ void unroll8WarpRegister(int* data, int* blockSums, size_t n);
__global__ void unroll8WarpShared(int* data, int* blockSums, size_t n);
BlockSumKernel completeUnrollSharedFor(unsigned block);

inline std::vector<Step> variantSteps() {
  const auto variant = [](const std::string& lesson, const std::string& of, const std::string& name,
                          BlockSumKernel kernel) {
    return Step{.lesson = lesson, .name = of + ", " + name, .basedOn = of, .kernel = kernel};
  };
  return {variant("02_neighbored", "neighbored", "modulo first", neighboredModuloFirst),
          variant("03_neighbored_less", "neighbored less, shared", "padded", neighboredLessPadded),
          variant("04_interleaved", "interleaved", "thread 0 adds 32", interleavedThread0Adds32)};
}

// What the steps of 05 to 07 would be in shared memory, as those of 02 to 04 are: how much of what
// 08 gains is registers, and how much that the tree is no longer in global memory. And 06's with
// its last warp's sums in registers.
inline std::vector<Step> controlSteps() {
  const auto control = [](const std::string& lesson, const std::string& of, const std::string& name,
                          BlockSumKernel kernel, unsigned elementsPerThread) {
    return Step{.lesson = lesson,
                .name = of + ", " + name,
                .basedOn = of,
                .kernel = kernel,
                .elementsPerThread = elementsPerThread};
  };
  const std::string lesson06 = "06_unroll8_warp";
  Step unrolled = control("07_complete_unroll", "complete unroll", "shared", nullptr, 8);
  unrolled.kernelFor = completeUnrollSharedFor;
  return {control("05_unroll2", "unroll 2", "shared", unroll2Shared, 2),
          control(lesson06, "unroll 8", "shared", unroll8Shared, 8),
          control(lesson06, "unroll 8 + warp", "register", unroll8WarpRegister, 8),
          control(lesson06, "unroll 8 + warp", "shared", unroll8WarpShared, 8), unrolled};
}
