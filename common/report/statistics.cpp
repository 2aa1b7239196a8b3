#include "report/statistics.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"

Spread spreadOf(std::vector<double> samples) {
  std::ranges::sort(samples);
  const size_t middle = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2;
  return {median, samples.front(), samples.back()};
}

std::string milliseconds(double ms) {
  return fixed(ms, ms < 1 ? 4 : ms < 10 ? 3 : ms < 100 ? 2 : 1);
}

std::string timeAndSpread(const std::vector<double>& samples) {
  const Spread s = spreadOf(samples);
  return fmt::format("{} ({}–{})", milliseconds(s.median), milliseconds(s.min),
                     milliseconds(s.max));
}

// All three with the digits that the median has.
std::string timeAndSpreadInMicroseconds(const std::vector<double>& samples) {
  const Spread s = spreadOf(samples);
  const int digits = s.median < 0.1 ? 2 : 1;
  return fmt::format("{} ({}–{})", fixed(1000 * s.median, digits), fixed(1000 * s.min, digits),
                     fixed(1000 * s.max, digits));
}
