// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel kernel) {
  const auto sum = [](std::span<const int> four) {
    return std::accumulate(four.begin(), four.end(), 0);
  };
  return {
      .program = "03_neighbored_less",
      .task = "the sum of every four neighbours",
      .call = callOf(kernel),
      .reference = [sum](const std::vector<int>& data,
                         Extent) { return forEachPart(data, 4, sum); },
      .goals = {perBlock("load requests", &Counters::load_requests, atMost(perWarp(1))),
                perBlock("load sectors", &Counters::load_sectors, atMost(perWarp(4))),
                perBlock("store requests", &Counters::store_requests, atMost(perWarp(0.25))),
                perBlock("bank conflicts in loads", &Counters::shared_load_conflicts, atMost(0)),
                lanesWork(24),
                eachWarpWorks(4),  // the first threads may load four elements at once
                warpsShare(192)}};
}
