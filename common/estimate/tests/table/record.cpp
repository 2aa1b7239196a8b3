#include "record.h"

#include <algorithm>
#include <functional>
#include <map>

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
    {"stalled_imc_miss", "constants"},
    {"stalled_not_selected", "issue slots"},
    {"stalled_selected", "issuing"}};
const std::map<std::string, std::string> reasonsOfTheModel = {
    {"memory", "memory, L2, L1"},
    {"L2", "memory, L2, L1"},
    {"L1", "memory, L2, L1"},
    {"atomics", "memory, L2, L1"},
    {"barriers", "barriers"},
    {"fences", "barriers"},  // as those of the profiler
    {"shared memory", "shared memory, shuffles"},
    {"bank conflicts", "shared memory, shuffles"},
    {"shuffles", "shared memory, shuffles"},
    {"load/store pipe", "load/store pipe"},
    {"constants", "constants"},
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

// Many estimates name the same result file: it is read for the first of them.
const Report& recordAt(const std::string& path) {
  static std::map<std::string, Report> records;
  auto record = records.find(path);
  if (record == records.end()) record = records.emplace(path, readResult(path)).first;
  return record->second;
}

}  // namespace

double measuredMs(const RecordedEstimate& estimate, const std::string& folder) {
  if (!estimate.record.ends_with(".json"))
    return estimate.kernel.empty() ? 0
                                   : profiled(estimate.kernel, folder + "/" + estimate.record).ms;
  return ::measuredMs(estimate, recordAt(folder + "/" + estimate.record));
}

Reasons reasonsOf(const RecordedEstimate& estimate) {
  std::map<std::string, double> sums;
  for (const auto& [wait, share] : estimate.waits)
    if (const auto reason = reasonsOfTheModel.find(wait); reason != reasonsOfTheModel.end())
      sums[reason->second] += share;
  return sorted(sums);
}

bool isNearlyLargest(const Reasons& reasons, const std::string& reason) {
  constexpr double nearly = 0.02;  // of the time in which warps are there
  return std::ranges::any_of(reasons, [&](const auto& other) {
    return other.first == reason && other.second > reasons[0].second - nearly;
  });
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

std::string inCapitals(std::string card) {
  for (char& c : card) c = char(std::toupper(c));
  return card;
}

}  // namespace estimate
