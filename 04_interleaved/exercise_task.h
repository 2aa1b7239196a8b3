// The task of the exercise, its reference and its goals: what --exercise asks of the kernel in
// exercise.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "exercise/exercise.h"

inline Exercise<int> exerciseTask(BlockSumKernel kernel) {
  const auto channelSums = [](const std::vector<int>& data, Extent s) {
    std::vector<int> sums(4 * blocksFor(s.n, s.block));
    for (size_t i = 0; i < s.n; ++i) sums[4 * (i / s.block) + i % 4] += data[i];
    return sums;
  };
  const auto sectors = [](const Counters& c) { return double(c.load_sectors); };
  return {
      .program = "04_interleaved",
      .task = "the sum of each of four channels, in every block",
      .call = callOf(kernel),
      .reference = channelSums,
      .goals = {perThousand("load sectors", sectors, atMost(126), "lanes load what lies far apart"),
                perBlock("load requests", &Counters::load_requests, atMost(perWarp(1))),
                perBlock("bank conflicts in loads", &Counters::shared_load_conflicts, atMost(0)),
                perBlock("bank conflicts in stores", &Counters::shared_store_conflicts, atMost(0)),
                perBlock("shared load requests", &Counters::shared_load_requests,
                         atMost([](Extent s) { return s.block / 16.0 + 8; })),
                lanesWork(5), threadsShare(64),
                eachWarpWorks(4)}};  // the first threads may load four elements at once
}
