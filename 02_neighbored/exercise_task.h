// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel kernel) {
  const auto range = [](std::span<const int> block) {
    return *std::ranges::max_element(block) - *std::ranges::min_element(block);
  };
  return {.program = "02_neighbored",
          .task = "the largest element of every block minus its smallest",
          .call = callOf(kernel),
          .reference = [range](const std::vector<int>& data,
                               Extent s) { return forEachPart(data, s.block, range); },
          .goals = {perBlock("load requests", &Counters::load_requests, atMost(perWarp(1))),
                    lanesWork(6), threadsShare(128),
                    perBlock("barriers", &Counters::barriers, atMost(treeSteps(1))),
                    perBlock("atomics", &Counters::atomics, atMost(0), "lanes wait for each other"),
                    eachWarpWorks()},
          .data = dataToCompare()};
}
