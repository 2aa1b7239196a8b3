// The tasks of the small exercises: what --exercise 1, 2 and 3 ask of practice.cuh.
#pragma once

#include "exercise/exercise.h"
#include "steps.h"

inline std::vector<Exercise<int>> practiceOf04(const Practice& practice) {
  const auto halvesAdded = [](const std::vector<int>& data, Extent s) {
    std::vector<int> sums;
    for (size_t first = 0; first < s.n; first += s.block)
      for (size_t i = first; i < std::min(s.n, first + s.block / 2); ++i)
        sums.push_back(data[i] + (i + s.block / 2 < s.n ? data[i + s.block / 2] : 0));
    return sums;
  };
  const auto sectors = [](const Count& c) { return double(c.load_sectors) / c.blocks; };
  const Exercise<int> halves{
      .task = "the upper half of each block added to its lower half",
      .call = callOf(practice[0]),
      .reference = halvesAdded,
      .goals = {{"load sectors per block", sectors, atMost(perWarp(4)),
                 "lanes load what lies far apart"},
                threadsShare(2)},
      .extents = {{1, 64}, {33, 64}, {960 + 45, 64}, {1024 + 300, 512}, {4096, 512}}};
  const Exercise<int> moved{
      .task = "the load sectors of interleaved, per block of 512",
      .call = callOf(findStep(ladderTo04(), "interleaved")),
      .reference = sumsOfBlocks(1),
      .prediction = Prediction{
          practice[1].number,
          sectors,
          {{132, "The block sum is loaded, too, at the end"},
           {164,
            "From stride 16 on fewer than 32 lanes are at work, and need fewer than four sectors"},
           {120, "Strides 16 to 1 come, too"},
           {64, "That loads each element once: later steps load sums"},
           {66, "A lane that adds loads two elements"},
           {511, "That was lesson 03"},
           {41, "That is how many requests move them"}}}};
  const Exercise<int> race{.task = "the sum of each block, without a race",
                           .call = callOf(practice[2]),
                           .reference = sumsOfBlocks(1),
                           .goals = {threadsShare(20), noAtomics()}};
  return smallExercises("04_interleaved", {halves, moved, race});
}
