// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf05(const Practice& practice) {
  const Exercise<int> second{
      .task = "two data blocks per block, added thread by thread",
      .call = callOf(practice[0], 2),
      .reference = sumsOfThreads(2),
      .goals = {perBlock("load requests", &Counters::load_requests, atMost(perWarp(2))),
                threadsShare(2)},
      .elementsPerThread = 2,
      .extents = {{1, 64}, {65, 64}, {128 + 33, 64}, {1024 + 700, 512}, {4096, 512}}};
  const Exercise<int> flight{.task = "four loads of each thread under way at a time",
                             .call = callOf(practice[1], 4),
                             .reference = sumsOfThreads(4),
                             .goals = {loadsUnderWay(4), threadsShare(4)},
                             .elementsPerThread = 4,
                             .extents = {{256, 64}, {1024, 64}, {4096, 512}}};
  const Exercise<int> requests{
      .task = "the load requests of unroll2, per block of 512",
      .call = callOf(findStep(ladderTo05(), "unroll 2")),
      .reference = sumsOfBlocks(2),
      .elementsPerThread = 2,
      .prediction = Prediction{
          practice[2].number,
          [](const Count& c) { return double(c.load_requests) / c.blocks; },
          {{41, "That is the tree, before which each of 16 warps loads its two data blocks"},
           {57, "For the first addition a warp loads its element of both data blocks"},
           {72, "The block sum is loaded, too, at the end"},
           {82, "The tree is walked once, and not once for each data block"},
           {32, "That is the first addition, which the tree follows"}}}};
  return smallExercises("05_unroll2", {second, flight, requests});
}
