// The one reader of what the timing model estimated, as build/cpu/estimated_kernels writes it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/report.h"

struct RecordedEstimate {
  std::string group = {}, step = {}, where = {};
  std::string record = {};  // the file beside it that has the measured time; empty for none
  uint64_t n = 0;           // where that has the step with several
  std::string kernel = {};  // as the profiler calls it, where the record is a profile
  double ms = 0, instructions = 0;
  std::vector<std::pair<std::string, double>> waits = {};  // shares of the time, the largest first
};

// A file of lines group;step;where;record;n;kernel;ms;instructions;waits; # begins a comment.
// Throws Error (exitUsage), which names the line, for a file that cannot be read or a line that is
// none.
std::vector<RecordedEstimate> readEstimates(const std::string& path);

// The measured time in milliseconds, from the result that is the estimate's record; 0 where it has
// none.
double measuredMs(const RecordedEstimate& estimate, const Report& record);
