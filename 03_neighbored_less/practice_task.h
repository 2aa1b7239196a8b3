// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf03(const Practice& practice) {
  const auto sumsOfPairs = [](const std::vector<int>& data, Extent s) {
    std::vector<int> sums(s.n / 2);
    for (size_t k = 0; k < sums.size(); ++k) sums[k] = data[2 * k] + data[2 * k + 1];
    return sums;
  };
  const std::vector<Extent> extents = {{2, 64}, {34, 64}, {998, 64}, {998, 512}, {4096, 512}};
  const Exercise<int> owners{
      .task = "sums of neighbours, by the first threads of each block",
      .call = callOf(practice[0]),
      .reference = sumsOfPairs,
      .goals = {perBlock("load requests", &Counters::load_requests, atMost(perWarp(1))),
                lanesWork(32), threadsShare(2), blocksWork(1)},
      .extents = extents};
  const Exercise<int> requests{
      .task = "the load requests of neighboredLess, per block of 512",
      .call = callOf(findStep(ladderTo03(), "neighbored less")),
      .reference = sumsOfBlocks(1),
      .prediction =
          Prediction{practice[1].number,
                     [](const Count& c) { return double(c.load_requests) / c.blocks; },
                     {{40, "The block sum is loaded, too, at the end"},
                      {20, "A lane that adds loads two elements"},
                      {21, "A lane that adds loads two elements"},
                      {19, "In nine steps 8, 4, 2, 1, 1, 1, 1, 1 and 1 warps are at work"},
                      {18, "In the first step 8 warps are at work, in the second 4"},
                      {191, "That was lesson 02, where all 16 warps were at work"},
                      {511, "That is how many sectors are moved"}}}};
  const Exercise<int> padding{
      .task = "sums of neighbours through shared memory, without bank conflicts",
      .call = callOf(practice[2]),
      .reference = sumsOfPairs,
      .goals = {perBlock("bank conflicts in loads", &Counters::shared_load_conflicts, atMost(0)),
                perBlock("bank conflicts in stores", &Counters::shared_store_conflicts, atMost(0)),
                perBlock("load requests", &Counters::load_requests, atMost(perWarp(1)),
                         "shared memory has the elements"),
                perBlock("shared load requests", &Counters::shared_load_requests,
                         atLeast(perWarp(1)), "the sums go by way of shared memory"),
                perBlock("shared load requests", &Counters::shared_load_requests,
                         atMost(perWarp(1)), "the first threads of the block add")},
      .extents = extents};
  return smallExercises("03_neighbored_less", {owners, requests, padding});
}
