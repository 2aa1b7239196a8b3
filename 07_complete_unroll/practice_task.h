// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf07(const Practice& practice) {
  const Exercise<int> requests{
      .task = "the load requests of completeUnroll, per block of 512",
      .call = callOf(findStep(ladderTo07(), "complete unroll")),
      .reference = sumsOfBlocks(8),
      .elementsPerThread = 8,
      .prediction = Prediction{
          practice[0].number,
          [](const Count& c) { return double(c.load_requests) / c.blocks; },
          {{128, "Those are the eight loads of each warp. The tree is all there, written out"},
           {168, "The block sum is loaded, too, at the end"},
           {73, "That was lesson 05"},
           {41, "That is the tree, before which each warp makes eight loads"}}}};
  const Exercise<int> forgotten{
      .task = "the sum of each block, every step written out for its size",
      .call = callOf(practice[1]),
      .reference = sumsOfBlocks(1),
      .goals = {threadsShare(22), noAtomics()},
      .extents = {{1, 128}, {997, 128}, {997, 512}, {997, 1024}, {4096, 1024}},
      .counted = {{1 << 14, 1024}}};
  const Exercise<int> tooMuch{.task = "the sum of each block of 64, and of 32",
                              .call = callOf(practice[2]),
                              .reference = sumsOfBlocks(1),
                              .goals = {threadsShare(12), noAtomics()},
                              .extents = {{1, 64}, {997, 64}, {1, 32}, {997, 32}},
                              .counted = {{1 << 12, 32}}};
  return smallExercises("07_complete_unroll", {requests, forgotten, tooMuch});
}
