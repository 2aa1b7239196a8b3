// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <climits>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel kernel, unsigned elementsPerThread) {
  const auto largest = [](std::span<const int> block) { return *std::ranges::max_element(block); };
  const auto loads = [](const Counters& c) { return double(c.load_requests); };
  const auto sectors = [](const Counters& c) { return double(c.load_sectors); };
  const auto shared = [](const Counters& c) {
    return double(c.shared_load_requests + c.shared_store_requests);
  };
  // Also any int, and elements that are as small as an int can be.
  std::vector<Datum<int>> data = dataToCompare();
  data.push_back([](uint32_t bits, size_t) { return int(bits); });
  data.push_back([](uint32_t bits, size_t) { return INT_MIN + int(bits % 2); });
  // What each warp takes for its own 32 values, and one more for what the warps leave.
  const auto sharedOf = [](Extent s) { return 19.25 * (s.block / 32 + 1); };
  return {
      .program = "06_unroll8_warp",
      .task = "the largest element of every block",
      .call = callOf(kernel, elementsPerThread),
      .reference =
          [=](const std::vector<int>& data, Extent s) {
            return forEachPart(data, size_t(elementsPerThread) * s.block, largest);
          },
      .goals = {perBlock("barriers", &Counters::barriers, atMost(1)),
                perThousand("shared-memory requests", shared, atMost(perThousandOf(8, sharedOf))),
                perThousand("load requests", loads, atMost(32)),
                perThousand("load sectors", sectors, atMost(126), "lanes load what lies far apart"),
                lanesWork(16), eachWarpWorks(), blocksWork(8), loadsUnderWay(8)},
      .elementsPerThread = elementsPerThread,
      .data = data};
}
