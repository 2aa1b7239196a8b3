#include "program/recorded_kernels.h"

#include "base/errors.h"
#include "program/estimates.h"
#include "report/result_file.h"
#include "simt/run/counting.h"
#include "simt/run/executor.h"

std::optional<Report> recordNamed(const std::string& file) try {
  return readResult(RESULTS_FOLDER "/" + file);
} catch (const Error&) {
  return {};
}

std::optional<Counters> countsOf(const std::function<void()>& launch) {
  const simt::WithSettings scope(simt::settingsToCount());
  const Counters before = simt::takeCounters();
  bool ended = true;
  try {
    launch();
  } catch (const simt::Fault&) {
    ended = false;
  }
  const Counters counted = simt::takeCounters();
  simt::addCounters(before);
  return ended ? std::optional(counted) : std::nullopt;
}

bool countsAsRecorded(const std::string& step, const std::function<void()>& launch) {
  static const std::optional<Report> counts = recordNamed("cpu_ladder_2e14.json");
  const StepResult* const recorded = counts ? counts->find(step) : nullptr;
  if (!recorded || !recorded->counters) return false;
  return countsOf(launch) == recorded->counters;
}

bool countsAsRecorded(const Step& step) {
  return countsAsRecorded(step.name, estimatedTaskOf(step, recordedLength, recordedBlock).launch);
}
