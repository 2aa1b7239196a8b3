// The record of what was estimated (common/results/NAME_estimated.csv), and what it is judged by.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace estimate {

struct RecordedEstimate {
  std::string group, step, where, record, kernel;
  uint64_t n = 0;
  double ms = 0, instructions = 0;
  std::vector<std::pair<std::string, double>> waits;  // the largest first
};

// Throws Error (exitUsage) for a file that cannot be read or a line that is none.
std::vector<RecordedEstimate> readEstimates(const std::string& path);

// The measured time in milliseconds, from the record in this folder; 0 where there is none.
double measuredMs(const RecordedEstimate& estimate, const std::string& folder);

// What warps wait for, in the words that the profiler and the model have in common, as shares of
// the time in which they are there; the largest first.
using Reasons = std::vector<std::pair<std::string, double>>;
Reasons reasonsOf(const RecordedEstimate& estimate);

// Of a kernel as the profiler calls it, and how many instructions it issued.
struct Profiled {
  Reasons reasons;
  double instructions = 0, ms = 0;
};
Profiled profiled(const std::string& kernel, const std::string& path);

}  // namespace estimate
