// What --exercise asks of the kernel in exercise.cuh.
#pragma once

#include "exercise.h"

inline Exercise<int> exerciseWith(BlockSumKernel kernel) {
  const auto sum = [](std::span<const int> four) {
    return std::accumulate(four.begin(), four.end(), 0);
  };
  return {.program = "03_neighbored_less",
          .task = "the sum of every four neighbours",
          .launch = launchOf(kernel),
          .reference = [sum](const std::vector<int>& data,
                             Extent) { return forEachPart(data, 4, sum); },
          .goals = {perBlock("load requests", &Counters::load_requests, 16),
                    perBlock("load sectors", &Counters::load_sectors, 64),
                    perBlock("store requests", &Counters::store_requests, 4),
                    perBlock("bank conflicts in loads", &Counters::shared_load_conflicts, 0)}};
}
