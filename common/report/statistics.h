// Samples of a time, and how times are written.
#pragma once

#include <string>
#include <vector>

// Median, minimum and maximum of at least one time.
struct Spread {
  double median, min, max;
};
Spread spreadOf(std::vector<double> samples);

// A time with four significant digits or so, and the median with its spread: "1.52 (1.50–1.57)".
std::string milliseconds(double ms);
std::string timeAndSpread(const std::vector<double>& samples);

// The same in microseconds, of samples in milliseconds.
std::string timeAndSpreadInMicroseconds(const std::vector<double>& samples);
