// The steps of lesson 08: what its program, the ladder and the tests run.
#pragma once

#include <vector>

#include "../07_complete_unroll/steps.h"
#include "cuda/device.h"
#include "measure/step.h"
#include "whole_sum.h"

#ifdef GPU_BACKEND
#include "bulk_copy_sum.h"
// In library.cuh, which is compiled by itself: the kernel for blocks of this size.
BlockSumKernel unroll8CubFor(unsigned block);
#endif

// In shuffle.cuh, which is compiled with what calls its kernels, whole_sum.cu.
__global__ void unroll8Shuffle(int* data, int* blockSums, size_t n);
__global__ void unroll8ReduceAdd(int* data, int* blockSums, size_t n);
__global__ void int4Loads(int* data, int* blockSums, size_t n);
__global__ void vectorLoads(int* data, int* blockSums, size_t n);
__global__ void gridStride(int* data, int* blockSums, size_t n);

inline std::vector<Step> shuffleSteps() {
  const std::string lesson = "08_shuffle";
  std::vector<Step> steps = {{.lesson = lesson,
                              .name = "unroll 8 + shuffle",
                              .basedOn = "complete unroll",
                              .kernel = unroll8Shuffle,
                              .elementsPerThread = 8},
                             {.lesson = lesson,
                              .name = "unroll 8 + reduce_add",
                              .basedOn = "unroll 8 + shuffle",
                              .kernel = unroll8ReduceAdd,
                              .elementsPerThread = 8},
                             {.lesson = lesson,
                              .name = "two int4 loads",
                              .basedOn = "unroll 8 + shuffle",
                              .kernel = int4Loads,
                              .elementsPerThread = 8},
                             {.lesson = lesson,
                              .name = "16-byte loads",
                              .basedOn = "two int4 loads",
                              .kernel = vectorLoads,
                              .elementsPerThread = 32},
                             {.lesson = lesson,
                              .name = "atomics after a memset",
                              .basedOn = "16-byte loads",
                              .blocksFor = atomicTotalBlocks,
                              .wholeSum = atomicTotalSum,
                              .estimable = false},
                             {.lesson = lesson,
                              .name = "one atomic per block",
                              .basedOn = "atomics after a memset",
                              .blocksFor = atomicPerBlockBlocks,
                              .wholeSum = atomicPerBlockSum},
                             {.lesson = lesson,
                              .name = "grid-stride",
                              .basedOn = "16-byte loads",
                              .kernel = gridStride,
                              .blocksFor = gridStrideBlocks},
                             {.lesson = lesson,
                              .name = "single pass",
                              .basedOn = "grid-stride",
                              .blocksFor = singlePassBlocks,
                              .wholeSum = singlePassSum}};
  Step bulk{.lesson = lesson, .name = "bulk copies", .basedOn = "one atomic per block"};
  Step cub{.lesson = lesson,
           .name = "unroll 8 + cub::BlockReduce",
           .basedOn = "unroll 8 + shuffle",
           .elementsPerThread = 8};
#ifdef GPU_BACKEND
  steps[1].available = [] {
    return compiledFor(reinterpret_cast<const void*>(unroll8ReduceAdd), 80);
  };
  bulk.blocksFor = bulkCopyBlocks;
  bulk.wholeSum = bulkCopySum;
  bulk.available = bulkCopyWorks;
  cub.kernelFor = unroll8CubFor;
#endif
  steps.push_back(bulk);
  steps.push_back(cub);
  return steps;
}

// Those of the lessons so far, in the order of the ladder.
inline std::vector<Step> ladderTo08() { return joinSteps({ladderTo07(), shuffleSteps()}); }
