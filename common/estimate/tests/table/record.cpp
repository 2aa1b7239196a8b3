#include "record.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include "base/errors.h"
#include "base/text.h"
#include "report/profile.h"
#include "report/result_file.h"

namespace estimate {

namespace {

// The profiler tells more of them apart, and calls them by what holds a warp up; who waits for a
// result of its own waits a fixed time ("wait"), for a busy unit, or for a branch.
const std::map<std::string, std::string> reasonsOfTheProfiler = {
    {"stalled_long_scoreboard", "memory, L2, L1"},
    {"stalled_barrier", "barriers"},
    {"stalled_membar", "barriers"},
    {"stalled_short_scoreboard", "shared memory, shuffles"},
    {"stalled_mio_throttle", "load/store pipe"},
    {"stalled_lg_throttle", "load/store pipe"},
    {"stalled_drain", "load/store pipe"},
    {"stalled_wait", "arithmetic, branches"},
    {"stalled_math_pipe_throttle", "arithmetic, branches"},
    {"stalled_dispatch_stall", "arithmetic, branches"},
    {"stalled_branch_resolving", "arithmetic, branches"},
    {"stalled_no_instruction", "code"},
    {"stalled_imc_miss", "code"},
    {"stalled_not_selected", "issue slots"},
    {"stalled_selected", "issuing"}};
const std::map<std::string, std::string> reasonsOfTheModel = {
    {"memory", "memory, L2, L1"},
    {"L2", "memory, L2, L1"},
    {"L1", "memory, L2, L1"},
    {"atomics", "memory, L2, L1"},
    {"barriers", "barriers"},
    {"shared memory", "shared memory, shuffles"},
    {"bank conflicts", "shared memory, shuffles"},
    {"shuffles", "shared memory, shuffles"},
    {"load/store pipe", "load/store pipe"},
    {"arithmetic", "arithmetic, branches"},
    {"issue slots", "issue slots"},
    {"issuing", "issuing"}};

Reasons sorted(const std::map<std::string, double>& sums) {
  double all = 0;
  for (const auto& [name, sum] : sums) all += sum;
  Reasons reasons;
  for (const auto& [name, sum] : sums) reasons.emplace_back(name, all > 0 ? sum / all : 0);
  std::ranges::stable_sort(reasons, std::greater(), &Reasons::value_type::second);
  return reasons;
}

}  // namespace

std::vector<RecordedEstimate> readEstimates(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(exitUsage, path + ": cannot be read");
  std::vector<RecordedEstimate> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("group;")) continue;
    const std::vector<std::string> fields = split(line, ";");
    if (fields.size() != 9) throw Error(exitUsage, path + ": not 9 fields: " + line);
    RecordedEstimate e{.group = fields[0],
                       .step = fields[1],
                       .where = fields[2],
                       .record = fields[3],
                       .kernel = fields[5],
                       .n = std::stoull(fields[4]),
                       .ms = std::stod(fields[6]),
                       .instructions = std::stod(fields[7]),
                       .waits = {}};
    for (const std::string& wait : split(fields[8], ","))
      if (const size_t blank = wait.rfind(' '); blank != std::string::npos)
        e.waits.emplace_back(wait.substr(0, blank), std::stod(wait.substr(blank)));
    all.push_back(std::move(e));
  }
  return all;
}

double measuredMs(const RecordedEstimate& estimate, const std::string& folder) {
  if (!estimate.record.ends_with(".json"))
    return estimate.kernel.empty() ? 0
                                   : profiled(estimate.kernel, folder + "/" + estimate.record).ms;
  const Report report = readResult(folder + "/" + estimate.record);
  for (const StepResult& step : report.steps)
    if (step.name == estimate.step && step.isTimed() &&
        (estimate.n == 0 || report.elements(step) == estimate.n))
      return spreadOf(step.kernelMs).median;
  return 0;
}

Reasons reasonsOf(const RecordedEstimate& estimate) {
  std::map<std::string, double> sums;
  for (const auto& [wait, share] : estimate.waits)
    if (const auto reason = reasonsOfTheModel.find(wait); reason != reasonsOfTheModel.end())
      sums[reason->second] += share;
  return sorted(sums);
}

Profiled profiled(const std::string& kernel, const std::string& path) {
  Profiled result;
  std::map<std::string, double> sums;
  const Profile profile(path);
  // A kernel that is a template in one record need not be one in another.
  std::string name;
  for (const ProfileRow& row : profile.rows())
    if (row.kernel == kernel || (name.empty() && row.kernel.starts_with(kernel + "<")))
      name = row.kernel;
  for (const ProfileRow& row : profile.rows()) {
    if (row.kernel != name) continue;
    if (const auto reason = reasonsOfTheProfiler.find(row.metric);
        reason != reasonsOfTheProfiler.end())
      sums[reason->second] += row.value;
    if (row.metric == "smsp__inst_executed.sum") result.instructions = row.value;
    if (row.metric == "gpu__time_duration.sum") result.ms = 1e-6 * row.value;
  }
  result.reasons = sorted(sums);
  return result;
}

}  // namespace estimate
