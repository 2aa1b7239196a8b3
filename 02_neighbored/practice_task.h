// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf02(const Practice& practice) {
  const auto doubled = [](std::vector<int> data, Extent) {
    for (int& element : data) element *= 2;
    return data;
  };
  const auto neighbours = [](const std::vector<int>& data, Extent s) {
    std::vector<int> results(s.n, 0);
    for (size_t i = 0; i + 1 < s.n; ++i)
      if ((i + 1) % s.block > 0) results[i] = 2 * data[i + 1];
    return results;
  };
  const Exercise<int> kernel{.task = "every element doubled",
                             .call = callOf(practice[0]),
                             .reference = doubled,
                             .goals = {threadsShare(1)}};
  const Exercise<int> barrier{.task = "twice the right neighbour",
                              .call = callOf(practice[1]),
                              .reference = neighbours,
                              .goals = {threadsShare(2)}};
  // All branches but the last one, at which thread 0 stores the sum.
  const auto turns = [](const Count& c) { return double(c.divergent_branches) / c.blocks - 1; };
  const Exercise<int> divergence{
      .task = "the turns in which a warp diverges",
      .call = callOf(findStep(ladderTo02(), "neighbored, shared")),
      .reference = sumsOfBlocks(1),
      .prediction =
          Prediction{practice[2].number,
                     turns,
                     {{144, "Where no lane has anything to add, the warp does not diverge"},
                      {80, "At stride 32 every second warp has one lane at work"},
                      {88, "Strides 64, 128 and 256 come, too"},
                      {87, "At stride 32 every second warp has one lane at work, its lane 0"},
                      {96, "Only the turns of the loop, without the store behind it"}}}};
  return smallExercises("02_neighbored", {kernel, barrier, divergence});
}
