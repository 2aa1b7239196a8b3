// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel kernel) {
  const auto runningTotals = [](const std::vector<int>& data, Extent s) {
    std::vector<int> totals = data;
    for (size_t i = 0; i < s.n; ++i)
      if (i % s.block > 0) totals[i] += totals[i - 1];
    return totals;
  };
  const auto shared = [](const Count& c) {
    return double(c.shared_load_requests + c.shared_store_requests) / c.blocks;
  };
  return {.program = "08_shuffle",
          .task = "the running totals of every block",
          .call = callOf(kernel),
          .reference = runningTotals,
          .goals = {perBlock("barriers", &Counters::barriers, atMost(2)),
                    {"shared-memory requests per block", shared, atMost(perWarp(3.125))},
                    perBlock("shuffles", &Counters::shuffles, atMost(perWarp(6.25))),
                    perBlock("load requests", &Counters::load_requests, atMost(perWarp(1))),
                    perBlock("store requests", &Counters::store_requests, atMost(perWarp(1))),
                    {"words of shared memory that hold something",
                     [](const Count& c) { return double(c.keptInShared); }, atMost(perWarp(2)),
                     "registers could"},
                    lanesWork(16),
                    eachWarpWorks(),
                    warpsShare(512)}};
}
