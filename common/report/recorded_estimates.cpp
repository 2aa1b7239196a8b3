#include "report/recorded_estimates.h"

#include <fmt/core.h>

#include <cmath>
#include <fstream>

#include "base/counts.h"
#include "base/errors.h"
#include "base/text.h"

namespace {

double atLeast(double least, const std::string& text, const std::string& where) {
  const double value = numberIn(text, where);
  if (!std::isfinite(value) || value < least)
    throw Error(exitUsage, fmt::format("{}: '{}' is too small", where, text));
  return value;
}

RecordedEstimate estimateIn(const std::string& line, const std::string& where) {
  const std::vector<std::string> fields = split(line, ";");
  if (fields.size() != 9) throw Error(exitUsage, where + ": expected 9 fields");
  RecordedEstimate estimate{.group = fields[0],
                            .step = fields[1],
                            .where = fields[2],
                            .record = fields[3],
                            .n = parseCount(where + ": n", fields[4]),
                            .kernel = fields[5],
                            .ms = atLeast(1e-6, fields[6], where),
                            .instructions = atLeast(0, fields[7], where),
                            .waits = {}};
  for (const std::string& wait : split(fields[8], ","))
    if (const size_t blank = wait.rfind(' '); blank != std::string::npos)
      estimate.waits.emplace_back(wait.substr(0, blank), atLeast(0, wait.substr(blank + 1), where));
  return estimate;
}

}  // namespace

std::vector<RecordedEstimate> readEstimates(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(exitUsage, path + ": cannot be read");
  std::vector<RecordedEstimate> all;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#' || line.starts_with("group;")) continue;
    all.push_back(estimateIn(line, fmt::format("{}:{}", path, number)));
  }
  return all;
}

double measuredMs(const RecordedEstimate& estimate, const Report& record) {
  for (const StepResult& step : record.steps)
    if (step.name == estimate.step && step.isTimed() &&
        (estimate.n == 0 || record.elements(step) == estimate.n))
      return spreadOf(step.kernelMs).median;
  return 0;
}
