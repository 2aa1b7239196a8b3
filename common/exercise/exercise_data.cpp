// The data that exercises are tried with, and what the small ones have in common.
#include <climits>
#include <numeric>

#include "exercise/exercise.h"

template <>
std::vector<Datum<int>> dataToAdd() {
  return {[](uint32_t bits, size_t) { return int(bits % (1 << 20)); },
          [](uint32_t bits, size_t) { return -int(bits % (1 << 20)); }};
}

// Thirds: a float has their first seven digits.
template <>
std::vector<Datum<double>> dataToAdd() {
  return {[](uint32_t bits, size_t) { return (bits % 256 + 1) / 3.0; },
          [](uint32_t bits, size_t) { return (bits % 256 + 1) / -3.0; }};
}

std::vector<Datum<int>> dataToCompare() {
  constexpr int most = 1 << 30;
  return {[](uint32_t bits, size_t) { return most / 2 + int(bits % (most / 2)); },
          [](uint32_t bits, size_t) { return -most / 2 - int(bits % (most / 2)); },
          [](uint32_t, size_t i) { return int(i) - most; },
          [](uint32_t, size_t i) { return most - int(i); },
          // Either sign.
          [](uint32_t bits, size_t) { return int(bits % (2u * most)) - most; },
          // One element in 32 stands out.
          [](uint32_t bits, size_t) { return bits % 32 == 0 ? most - int(bits >> 16) : 1000; },
          [](uint32_t bits, size_t) { return bits % 32 == 0 ? int(bits >> 16) - most : -1000; }};
}

static int sumOfPart(std::span<const int> part) {
  return std::accumulate(part.begin(), part.end(), 0);
}

std::function<std::vector<int>(const std::vector<int>&, Extent)> sumsOfBlocks(
    unsigned elementsPerThread) {
  return [elementsPerThread](const std::vector<int>& data, Extent s) {
    return forEachPart(data, size_t(elementsPerThread) * s.block, sumOfPart);
  };
}

std::function<std::vector<int>(const std::vector<int>&, Extent)> sumsOfWarps() {
  return [](const std::vector<int>& data, Extent) { return forEachPart(data, 32, sumOfPart); };
}

std::function<std::vector<int>(const std::vector<int>&, Extent)> sumsOfThreads(
    unsigned elementsPerThread) {
  return [elementsPerThread](const std::vector<int>& data, Extent s) {
    std::vector<int> sums;
    const size_t perBlock = size_t(elementsPerThread) * s.block;
    for (size_t first = 0; first < s.n; first += perBlock)
      for (size_t i = first; i < std::min(s.n, first + s.block); ++i) {
        sums.push_back(0);
        for (size_t k = i; k < std::min(s.n, first + perBlock); k += s.block)
          sums.back() += data[k];
      }
    return sums;
  };
}

std::vector<Exercise<int>> smallExercises(const std::string& program,
                                          std::vector<Exercise<int>> exercises) {
  unsigned number = 0;
  for (Exercise<int>& exercise : exercises) {
    exercise.program = program;
    exercise.number = ++number;
    if (exercise.extents.empty())
      exercise.extents = {{1, 64}, {33, 64}, {997, 64}, {997, 512}, {4096, 512}};
    // A number that is right for one block size only shows at another.
    if (exercise.counted.front().block == 512) exercise.counted.push_back({1 << 12, 64});
    exercise.chanceBlocks = {};
    exercise.large = {};
  }
  return exercises;
}
