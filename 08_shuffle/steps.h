// The steps of lesson 08, for its program and for the ladder.
#pragma once

#include <vector>

#include "lesson.h"
#include "shuffle.cuh"
#include "single_pass.h"

#ifdef __CUDACC__
#include "bulk_copy.h"
#include "library.cuh"
#endif

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
                              .name = "16-byte loads",
                              .basedOn = "unroll 8 + shuffle",
                              .kernel = vectorLoads,
                              .elementsPerThread = 16},
                             {.lesson = lesson,
                              .name = "one atomic per block",
                              .basedOn = "16-byte loads",
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
#ifdef __CUDACC__
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
