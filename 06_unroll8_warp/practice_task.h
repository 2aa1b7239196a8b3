// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf06(const Practice& practice) {
  const Exercise<int> barriers{
      .task = "the barriers of unroll 8 + warp, per block of 512",
      .call = callOf(findStep(ladderTo06(), "unroll 8 + warp")),
      .reference = sumsOfBlocks(8),
      .elementsPerThread = 8,
      .prediction =
          Prediction{practice[0].number,
                     [](const Count& c) { return double(c.barriers) / c.blocks; },
                     {{3, "After the loads all warps wait once, before the tree begins"},
                      {10, "From stride 32 on one warp is at work, which waits for no other"},
                      {5, "From stride 32 on one warp is at work, which waits for no other"},
                      {6, "Those are the steps that lose theirs"},
                      {1, "At strides 256, 128 and 64 a warp adds what others have left"}}}};
  const Exercise<int> tail{
      .task = "eight elements of each thread, or as many as there are",
      .call = callOf(practice[1], 8),
      .reference = sumsOfThreads(8),
      .goals = {perBlock("load requests", &Counters::load_requests, atMost(perWarp(8))),
                threadsShare(8)},
      .elementsPerThread = 8,
      .extents = {{512, 64}, {1, 64}, {511, 64}, {512 + 300, 64}, {4096, 512}, {4096 + 5, 512}}};
  const Exercise<int> warps{
      .task = "the sum of each warp's elements, without a race",
      .call = callOf(practice[2]),
      .reference = sumsOfWarps(),
      .goals = {perBlock("barriers", &Counters::barriers, atMost(0), "a warp waits for others"),
                threadsShare(12), noAtomics()}};
  return smallExercises("06_unroll8_warp", {barriers, tail, warps});
}
