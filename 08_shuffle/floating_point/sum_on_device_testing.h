// The exact sum of values of the host, by the kernel and by the CPU, for tests.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <exception>
#include <limits>
#include <vector>

#include "exact_sum.h"

template <typename T>
auto bitsOf(T value) {
  return std::bit_cast<typename FormatOf<T>::Bits>(value);
}

// The sum by the kernel of values that begin so many elements behind an aligned place. One adder
// for all: each launch must leave its memory as it found it.
template <typename T>
T sumOnDevice(const std::vector<T>& values, size_t offset = 0, unsigned grid = 0,
              unsigned block = ExactSum<T>::usualBlock) {
  static ExactSum<T> exactSum;
  std::vector<T> padded(offset, std::numeric_limits<T>::quiet_NaN());  // must not get into any sum
  padded.insert(padded.end(), values.begin(), values.end());
  DeviceArray<T> data(std::max<size_t>(1, padded.size()), "input"), total(1, "total");
  if (!padded.empty()) data.copyFromHost(padded.data());
  total.poison();
  T sum{};
  try {
    if (grid == 0)
      exactSum(data.data() + offset, values.size(), total.data());
    else
      exactSum(data.data() + offset, values.size(), total.data(), grid, block);
    total.copyToHost(&sum, 1);
  } catch (const std::exception& fault) {
    ADD_FAILURE() << fault.what();
  }
  return sum;
}

template <typename T>
T sumOnCpu(const std::vector<T>& values) {
  return exactSumOnCpu(values.data(), values.size());
}
