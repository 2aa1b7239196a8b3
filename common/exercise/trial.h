// What the parts of the grader share: the data of a run, and its results compared.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

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

// Whether nobody has written a result: it is as DeviceArray::poison left it.
constexpr unsigned char poisonByte = 0xA5;
template <typename T>
bool isUnwritten(T value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  return std::ranges::all_of(bytes, [](unsigned char byte) { return byte == poisonByte; });
}

// The first result that is not what it should be.
template <typename T>
std::optional<size_t> firstWrong(const std::vector<T>& got, const std::vector<T>& expected) {
  for (size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(double(got[i]) - double(expected[i])) <= 1e-12 * std::abs(double(expected[i]))))
      return i;
  return {};
}

// What is wrong with it, or nothing where all results are right.
template <typename T>
std::string differenceOf(const std::vector<T>& got, const std::vector<T>& expected, Extent extent,
                         size_t firstResult = 0) {
  const std::optional<size_t> i = firstWrong(got, expected);
  if (!i) return "";
  const auto shown = [](T value) {
    return std::is_integral_v<T> ? fmt::format("{}", value) : fmt::format("{:g}", double(value));
  };
  const std::string which =
      fmt::format("{}: result {} of {}", extent.text(), firstResult + *i, firstResult + got.size());
  if (isUnwritten(got[*i]))
    return fmt::format("{} was never written: it should be {}", which, shown(expected[*i]));
  return fmt::format("{} is {} instead of {}", which, shown(got[*i]), shown(expected[*i]));
}

// Runs the end of a grid whose indices need more than 32 bits, and says what was wrong, or nothing.
// For the executor's backend only.
template <typename T>
std::string mistakeInLarge(const Exercise<T>& exercise, Extent large, DataChoice choice);
