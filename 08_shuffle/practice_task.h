// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include <algorithm>

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf08(const Practice& practice) {
  const Exercise<int> warps{
      .task = "the sum of each warp's elements, in registers",
      .call = callOf(practice[0]),
      .reference = sumsOfWarps(),
      .goals = {perBlock("shuffles", &Counters::shuffles, atMost(perWarp(5))),
                perBlock("shared load requests", &Counters::shared_load_requests, atMost(0)),
                lanesWork(16), threadsShare(1), noAtomics()}};
  const Exercise<int> mask{.task = "the largest element of each warp",
                           .call = callOf(practice[1]),
                           .reference =
                               [](const std::vector<int>& data, Extent) {
                                 return forEachPart(data, 32, [](std::span<const int> part) {
                                   return *std::ranges::max_element(part);
                                 });
                               },
                           .goals = {perBlock("shuffles", &Counters::shuffles, atMost(perWarp(5))),
                                     lanesWork(16), threadsShare(1), noAtomics()}};
  const Exercise<int> shuffles{
      .task = "the shuffles of a block sum, per block of 512",
      .call = callOf(findStep(shuffleSteps(), "unroll 8 + shuffle")),
      .reference = sumsOfBlocks(8),
      .elementsPerThread = 8,
      .prediction = Prediction{
          practice[2].number,
          [](const Count& c) { return double(c.shuffles) / c.blocks; },
          {{80, "The first warp adds up what the 16 warps leave"},
           {5, "Each of 16 warps makes five"},
           {10, "Each of 16 warps makes five, and the first one five more"},
           {84, "The first warp's 32 lanes take five steps, also where 16 have something to add"},
           {160, "Only the first warp makes five more"}}}};
  return smallExercises("08_shuffle", {warps, mask, shuffles});
}
