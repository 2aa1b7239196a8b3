// The tasks of the small exercises: what --exercise 1 to 5 ask of practice.cuh.
#pragma once

#include <algorithm>
#include <numeric>

#include "cuda/device_array.h"
#include "exercise/exercise.h"
#include "version_calls.h"

// Version 3 for one matrix of 33 rows and one column, all zeros.
inline void runSmallVersion3() {
  constexpr Sizes s = {33, 1, 1};
  const std::vector<double> zeros(s.rows * s.rows);
  DeviceArray<double> matrices(s.rows, "matrices"), matrix(zeros.size(), "matrix");
  DeviceArray<double> means(s.rows, "means"), result(s.rows, "result");
  matrices.copyFromHost(zeros.data());  // their first ones
  matrix.copyFromHost(zeros.data());
  runWarpPerRow({matrices.data(), matrix.data(), means.data(), result.data(), s});
}

inline std::vector<Exercise<int>> practiceOf09(const Practice& practice) {
  const Exercise<int> rows{.task = "the sums of rows of 64 elements",
                           .call = callOf(practice[0], 2),
                           .reference =
                               [](const std::vector<int>& data, Extent) {
                                 return forEachPart(data, 64, [](std::span<const int> row) {
                                   return std::accumulate(row.begin(), row.end(), 0);
                                 });
                               },
                           .goals = {perBlock("load sectors", &Counters::load_sectors,
                                              atMost(perWarp(8)), "lanes load what lies apart"),
                                     eachWarpWorks(), noAtomics()},
                           .elementsPerThread = 2};
  const Exercise<int> barriers{
      .task = "the barriers of version 3, for L = 33 and one entry",
      .call = [](int*, int*, Extent) { runSmallVersion3(); },
      .reference = [](const std::vector<int>&, Extent) { return std::vector<int>(); },
      .counted = {{0, 64}},  // elements of its own
      .prediction =
          Prediction{practice[1].number,
                     [](const Count& c) { return double(c.barriers); },
                     {{231, "One more lies between the means and the products"},
                      {199, "Each value has one before its tree, behind the partial sums"},
                      {198, "Each value has one before its tree, behind the partial sums"},
                      {330, "A tree of 64 threads has six steps"},
                      {331, "A tree of 64 threads has six steps"},
                      {7, "So many for each value, and one behind the means"}}}};
  const Exercise<int> smallest{
      .task = "the place of each warp's smallest element, of equal ones the first",
      .call = callOf(practice[2]),
      .reference =
          [](const std::vector<int>& data, Extent) {
            int first = -32;
            return forEachPart(data, 32, [&](std::span<const int> part) {
              first += 32;
              return first + int(std::ranges::min_element(part) - part.begin());
            });
          },
      .goals = {perBlock("shuffles", &Counters::shuffles, atMost(perWarp(10))), lanesWork(16),
                threadsShare(1), noAtomics()},
      .addsElements = false,
      .data = {[](uint32_t bits, size_t) { return int(bits % 4); },
               [](uint32_t bits, size_t) { return int(bits % 1000) - 500; },
               [](uint32_t, size_t) { return 7; }}};
  // Beside a mean of 1,000 the differences are small: what sums of x² lose in a float is seen.
  const Exercise<int> spread{
      .task = "count × the squared differences from each warp's mean",
      .call = callOf(practice[3]),
      .reference =
          [](const std::vector<int>& data, Extent) {
            return forEachPart(data, 32, [](std::span<const int> part) {
              int64_t sum = 0, squares = 0;
              for (const int64_t x : part) sum += x, squares += x * x;
              return int(int64_t(part.size()) * squares - sum * sum);
            });
          },
      .goals = {perBlock("shuffles", &Counters::shuffles, atMost(perWarp(15))), lanesWork(16),
                threadsShare(1), noAtomics()},
      .addsElements = false,
      .data = {[](uint32_t bits, size_t) { return 1000 + int(bits % 4); },
               [](uint32_t, size_t i) { return i % 32 < 16 ? 1000 : 1003; },
               [](uint32_t, size_t) { return 1000; }}};
  const Exercise<int> tiles{
      .task = "the sum of each block, by tiles of cooperative groups",
      .call = callOf(practice[4]),
      .reference = sumsOfBlocks(1),
      .goals = {perBlock("barriers", &Counters::barriers, atMost(1),
                         "lanes of a tile need none among themselves"),
                perBlock("shared store requests", &Counters::shared_store_requests,
                         atMost(perWarp(1)), "one number for each tile is enough"),
                threadsShare(2)}};
  return smallExercises("09_mean_matvec", {rows, barriers, smallest, spread, tiles});
}
