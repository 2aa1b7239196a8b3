// What the parts of the grader share: the data of a run, and its results compared.
#pragma once

#include <fmt/core.h>

#include <cmath>

#include "base/random.h"
#include "exercise/grader.h"

// Which data, and of what kind.
struct DataChoice {
  uint64_t seed;
  size_t kind = 0;
};

template <typename T>
std::vector<T> exerciseData(const Exercise<T>& exercise, Extent extent, DataChoice choice) {
  const Datum<T>& datum = exercise.data[choice.kind % exercise.data.size()];
  std::vector<T> data(extent.elements());
  for (size_t i = 0; i < data.size(); ++i) data[i] = datum(uint32_t(randomBits(choice.seed, i)), i);
  return data;
}

// Where a result is not what it should be, or nothing.
template <typename T>
std::string differenceOf(const std::vector<T>& got, const std::vector<T>& expected, Extent extent,
                         size_t firstResult = 0) {
  const auto shown = [](T value) {
    return std::is_integral_v<T> ? fmt::format("{}", value) : fmt::format("{:g}", double(value));
  };
  const auto differs = [](T a, T b) {
    return !(std::abs(double(a) - double(b)) <= 1e-12 * std::abs(double(b)));
  };
  for (size_t i = 0; i < got.size(); ++i)
    if (differs(got[i], expected[i]))
      return fmt::format("{}: result {} of {} is {} instead of {}", extent.text(), firstResult + i,
                         firstResult + got.size(), shown(got[i]), shown(expected[i]));
  return "";
}

// Runs the end of a grid whose indices need more than 32 bits, and says what was wrong, or nothing.
// For the executor's backend only.
template <typename T>
std::string mistakeInLarge(const Exercise<T>& exercise, Extent large, DataChoice choice);
