// The task of the exercise, its reference and its goals: what --exercise asks of the kernels in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>

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
  // The last six steps are the first warp's; a barrier follows the loads.
  const auto barriers = [](Extent s) { return std::max(1.0, treeSteps(-5)(s)); };
  std::vector<Extent> counted;
  for (const unsigned block : {1024u, 512u, 256u, 128u, 64u, 32u})
    counted.push_back({1 << 14, block});
  return {.program = "07_complete_unroll",
          .task = "the exclusive or of every block's elements",
          .call = callOf(Step{.lesson = "", .name = "", .kernelFor = kernelFor}),
          .reference = [=](const std::vector<int>& data,
                           Extent s) { return forEachPart(data, s.block, checksum); },
          .goals = {{"block sizes without a kernel of their own", kernelsMissing, atMost(0)},
                    perBlock("barriers", &Counters::barriers, atMost(barriers)),
                    perBlock("load requests", &Counters::load_requests, atMost(perWarp(1))),
                    lanesWork(8),
                    eachWarpWorks()},
          .data = {[](uint32_t bits, size_t) { return int(bits); }},
          .counted = counted,
          .chanceBlocks = {1024, 512, 256, 128, 64, 32}};
}
