// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel kernel, unsigned elementsPerThread) {
  const auto squares = [](std::span<const int> block) {
    return std::inner_product(block.begin(), block.end(), block.begin(), 0);
  };
  const auto barriers = [](const Counters& c) { return double(c.barriers); };
  const auto loads = [](const Counters& c) { return double(c.load_requests); };
  const auto sectors = [](const Counters& c) { return double(c.load_sectors); };
  const auto shared = [](const Counters& c) {
    return double(c.shared_load_requests + c.shared_store_requests);
  };
  // One for each step of the tree; and what the tree takes, which ends in one warp.
  const auto barriersOf = treeSteps(1);
  const auto sharedOf = [](Extent s) { return s.block / 8.0 + 17; };
  return {
      .program = "05_unroll2",
      .task = "the sum of the squares of every block's elements",
      .call = callOf(kernel, elementsPerThread),
      .reference =
          [=](const std::vector<int>& data, Extent s) {
            return forEachPart(data, size_t(elementsPerThread) * s.block, squares);
          },
      .goals = {perThousand("barriers", barriers, atMost(perThousandOf(4, barriersOf))),
                perThousand("shared-memory requests", shared, atMost(perThousandOf(4, sharedOf))),
                perThousand("load requests", loads, atMost(32)),
                perThousand("load sectors", sectors, atMost(126), "lanes load what lies far apart"),
                lanesWork(16), eachWarpWorks(), blocksWork(4), loadsUnderWay(4)},
      .elementsPerThread = elementsPerThread,
      // Their squares are to be added up.
      .data = {[](uint32_t bits, size_t) { return int(bits % 256); },
               [](uint32_t bits, size_t) { return -int(bits % 256); }}};
}
