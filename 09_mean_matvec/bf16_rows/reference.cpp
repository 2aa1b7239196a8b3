#include "reference.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/random.h"

static float valueOf(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

void fillAroundThree(uint16_t* bits, size_t n, uint64_t seed) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < n; ++i) {
    const uint64_t random = randomBits(seed, i);
    const float value = 1 + float(random % 256 + random / 256 % 256) / 128;
    bits[i] = uint16_t(std::bit_cast<uint32_t>(value) >> 16);  // the last bits are cut off
  }
}

template <typename Reduce>
static std::vector<Pair> ofRows(const uint16_t* bits, size_t rows, size_t length,
                                const Reduce& reduce) {
  std::vector<Pair> results(rows);
#pragma omp parallel for schedule(static)
  for (size_t row = 0; row < rows; ++row) results[row] = reduce(bits + row * length, length);
  return results;
}

std::vector<Pair> momentsOf(const uint16_t* bits, size_t rows, size_t length) {
  return ofRows(bits, rows, length, [](const uint16_t* row, size_t length) -> Pair {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < length; ++i) sum += valueOf(row[i]);
    const double mean = sum / double(length);
    for (size_t i = 0; i < length; ++i) {
      const double y = valueOf(row[i]) - mean;
      squares += y * y;
    }
    return {mean, squares / double(length)};
  });
}

std::vector<Pair> softmaxSumsOf(const uint16_t* bits, size_t rows, size_t length) {
  return ofRows(bits, rows, length, [](const uint16_t* row, size_t length) -> Pair {
    float largest = valueOf(row[0]);
    for (size_t i = 1; i < length; ++i) largest = std::max(largest, valueOf(row[i]));
    double sum = 0;
    for (size_t i = 0; i < length; ++i) sum += std::exp(double(valueOf(row[i])) - largest);
    return {largest, sum};
  });
}

double softmaxError(const uint16_t* softmax, const uint16_t* bits, size_t from, size_t count,
                    const std::vector<Pair>& sums, size_t length) {
  double worst = 0;
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (size_t i = 0; i < count; ++i) {
    const Pair row = sums[(from + i) / length];
    const double right = std::exp(double(valueOf(bits[from + i])) - row.first) / row.second;
    const double error = std::abs(double(valueOf(softmax[i])) - right) / std::max(right, 1e-30);
    worst = std::max(worst, std::isnan(error) ? INFINITY : error);
  }
  return worst;
}
