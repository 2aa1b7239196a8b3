// What the record of estimates (common/results/NAME_estimated.csv) is judged by.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/recorded_estimates.h"

namespace estimate {

// The measured time in milliseconds, from the result or profile in this folder; 0 where there is
// none.
double measuredMs(const RecordedEstimate& estimate, const std::string& folder);

// What warps wait for, in the words that the profiler and the model have in common, as shares of
// the time in which they are there; the largest first.
using Reasons = std::vector<std::pair<std::string, double>>;
Reasons reasonsOf(const RecordedEstimate& estimate);
// Whether a reason has at most two hundredths of the time less than the largest.
bool isNearlyLargest(const Reasons& reasons, const std::string& reason);

// Of a kernel as the profiler calls it, and how many instructions it issued.
struct Profiled {
  Reasons reasons;
  double instructions = 0, ms = 0;
};
Profiled profiled(const std::string& kernel, const std::string& path);

// "H200" of h200.
std::string inCapitals(std::string card);

}  // namespace estimate
