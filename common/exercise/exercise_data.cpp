// The data that exercises are tried with.
#include <climits>

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
