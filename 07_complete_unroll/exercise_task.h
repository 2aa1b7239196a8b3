// The task of the exercise, its reference and its goals: what --exercise asks of the kernels in
// exercise.cuh.
#pragma once

#include <set>

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel (*kernelFor)(unsigned block)) {
  const auto checksum = [](std::span<const int> block) {
    return std::accumulate(block.begin(), block.end(), 0, std::bit_xor<>());
  };
  const auto kernelsMissing = [kernelFor](const Count&) {
    std::set<BlockSumKernel> kernels;
    for (const unsigned block : {32u, 64u, 128u, 256u, 512u, 1024u})
      kernels.insert(kernelFor(block));
    return 6.0 - double(kernels.size());
  };
  return {.program = "07_complete_unroll",
          .task = "the exclusive or of every block's elements",
          .call = callOf(Step{.lesson = "", .name = "", .kernelFor = kernelFor}),
          .reference = [=](const std::vector<int>& data,
                           Extent s) { return forEachPart(data, s.block, checksum); },
          .goals = {{"block sizes without a kernel of their own", kernelsMissing, 0},
                    perBlock("barriers", &Counters::barriers, 5, 1024),
                    perBlock("barriers", &Counters::barriers, 4, 512),
                    perBlock("barriers", &Counters::barriers, 1, 64)}};
}
