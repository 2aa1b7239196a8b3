#include "weave/tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "report/statistics.h"

namespace {

double medianOf(const StepResult& step) { return spreadOf(step.kernelMs).median; }

std::string ratioText(std::optional<double> ratio) {
  if (!ratio) return "";
  return *ratio < 0.005 ? std::string("< 0.01") : fixed(*ratio, 2);
}

// How many times as fast, or nothing where there is nothing to compare with.
std::string timesAsFast(const StepResult* from, const StepResult& to) {
  if (!from || from->kernelMs.empty()) return "";
  return ratioText(medianOf(*from) / medianOf(to));
}

// The same for the step before, which is named unless it is the row above.
std::string timesAsBefore(const Report& report, const StepResult& step, const std::string& above) {
  if (step.basedOn.empty()) return "";
  const std::string ratio = timesAsFast(report.find(step.basedOn), step);
  return ratio.empty() || step.basedOn == above ? ratio : ratio + " (" + step.basedOn + ")";
}

// Recorded on a GPU, NVIDIA's library is known by the name of what it comes with.
std::string libraryName(const StepResult& library) {
  return library.name.starts_with("cub::") ? "CUB" : "cuBLAS";
}

// What steps are compared with: the CPU where the report has it, else the first step.
const StepResult* baseOf(const Report& report) {
  if (const StepResult* const cpu = report.find(Role::cpu)) return cpu;
  return report.steps.empty() ? nullptr : &report.steps.front();
}

std::string baseName(const StepResult& base) {
  return base.role == Role::cpu ? base.name : "lesson " + base.lesson.substr(0, 2);
}

// What the timing model says of a step. Only what is no step of ours may be without an estimate.
std::string estimatedText(const std::string& estimates, const std::string& result,
                          const StepResult& step, Records& records) {
  if (const RecordedEstimate* const e = records.estimateOf(estimates, result, step))
    return milliseconds(e->ms);
  if (step.role == Role::step)
    refuse("there is no estimate of '" + step.name + "' of " + result + " in " + estimates);
  return "–";
}

}  // namespace

std::string timesTable(const std::string& recipe, Figures& figures) {
  std::vector<std::string> steps = split(recipe, ";");
  const std::vector<std::string> from = split(steps.front(), ",");
  if (from.size() > 2) refuse("times: expected RESULT, or RESULT, ESTIMATES");
  const std::string name = from.front(), estimates = from.size() > 1 ? from.back() : "";
  steps.erase(steps.begin());
  const Report& report = figures.records().report(name);
  if (steps.empty())
    for (const StepResult& step : report.steps) steps.push_back(step.name);
  const StepResult *const base = baseOf(report), *const library = report.find(Role::library);
  if (!base || !library) refuse("no step and no library to compare with in " + name);
  if (report.machine.peakGbps == 0) refuse("no peak is known in " + name);
  const bool answers = !report.steps.front().answerMs.empty();
  std::string text = fmt::format(
      "| step | {}ms (min–max) | {} | % of peak | × step before | × {} |{} × {} |\n|{}\n",
      answers ? "kernel " : "", estimates.empty() ? "GB/s" : "*estimated* ms", baseName(*base),
      answers ? " answer ms | answer:" : "", libraryName(*library),
      answers ? "---|---|---|---|---|---|---|---|" : "---|---|---|---|---|---|---|");
  std::string above;
  for (const std::string& step : steps) {
    const StepResult& s = figures.records().timedStep(name, step);
    const double gbps = report.gbps(s);
    text += fmt::format("| {} | {} | {} | {} | {} | {} |", step, timeAndSpread(s.kernelMs),
                        estimates.empty() ? fixed(gbps, gbps < 100 ? 1 : 0)
                                          : estimatedText(estimates, name, s, figures.records()),
                        fixed(100 * gbps / report.machine.peakGbps, 1),
                        timesAsBefore(report, s, above), timesAsFast(base, s));
    above = step;
    if (answers)
      text += s.answerMs.empty() ? "  |" : " " + milliseconds(spreadOf(s.answerMs).median) + " |";
    text += fmt::format(" {} |\n", library == &s ? "1.00" : ratioText(timesLibrary(library, s)));
  }
  return text;
}

namespace {

// A row of the table of counts: what it is called there, the executor's counter, the profiler's
// metric. Empty for what one of them has not.
struct CountsRow {
  std::string shown, counter, metric;
};

std::vector<CountsRow> countsRows() {
  std::vector<CountsRow> rows;
  for (const std::string name :
       {"load_requests", "load_sectors", "store_requests", "store_sectors", "shared_load_conflicts",
        "shared_store_conflicts", "divergent_branches", "barriers"}) {
    const simt::CounterInfo& counter = *counterNamed(name);
    rows.push_back({counter.title, name, counter.metric});
  }
  rows[4].shown = "bank conflicts, loads";
  rows[5].shown = "bank conflicts, stores";
  rows.push_back({"instructions", "", "smsp__inst_executed.sum"});
  return rows;
}

struct CountedStep {
  std::string name, kernel;
};

// The counts of one table: where they are from, and by what they are divided.
class Counts {
 public:
  Counts(const std::string& recipe, Figures& figures) : records_(figures.records()) {
    const std::vector<std::string> parts = split(recipe, ";");
    if (parts.size() < 4) refuse("counts: expected RESULT; PROFILE; PART; STEP=KERNEL; …");
    result_ = parts[0];
    profile_ = parts[1];
    if (parts[2] != "per block" && parts[2] != "per 1000")
      refuse("counts: expected per block or per 1000, not '" + parts[2] + "'");
    perThousand_ = parts[2] == "per 1000";
    for (size_t i = 3; i < parts.size(); ++i) {
      const size_t equals = parts[i].find('=');
      if (equals == std::string::npos)
        refuse("counts: expected STEP=KERNEL, not '" + parts[i] + "'");
      steps_.push_back({trimmed(parts[i].substr(0, equals)), trimmed(parts[i].substr(equals + 1))});
    }
    block_ = std::to_string(records_.report(result_).block);
  }

  std::string table() {
    std::string text = fmt::format("| {}, counted / profiler |",
                                   perThousand_ ? "per 1,000 elements" : "per block of " + block_);
    std::string rule = "|---|";
    for (const CountedStep& step : steps_) {
      text += " " + step.name + " |";
      rule += "---|";
    }
    text += '\n' + rule + '\n';
    for (const CountsRow& row : countsRows()) text += line(row);
    return text;
  }

 private:
  // Nothing for a row in which the executor counts 0 everywhere.
  std::string line(const CountsRow& row) {
    std::string text = "| " + row.shown + " |";
    bool counted = row.counter.empty();
    for (const CountedStep& step : steps_) {
      const std::string ours = row.counter.empty() ? "–" : countedIn(step, row.counter);
      counted = counted || ours.find_first_of("123456789") != std::string::npos;
      text += fmt::format(" {} / {} |", ours, row.metric.empty() ? "–" : profiledIn(step, row));
    }
    return counted ? text + '\n' : "";
  }

  std::string countedIn(const CountedStep& step, const std::string& counter) {
    const StepResult& s = records_.step(result_, step.name);
    const double count = countOf(s, counter);
    return perThousand_ ? formatted(count / elementsOf(s) * 1000, ".1f")
                        : formatted(count / double(s.blocks), "g");
  }

  std::string profiledIn(const CountedStep& step, const CountsRow& row) {
    const ProfileRow& r = records_.profiled(profile_, step.kernel, row.metric, block_);
    const double parts =
        perThousand_ ? elementsOf(records_.step(result_, step.name)) / 1000 : r.blocks;
    const bool whole = row.shown == "instructions";
    return formatted(r.value / parts, whole ? ".0f" : perThousand_ ? ".1f" : "g");
  }

  double elementsOf(const StepResult& step) {
    return double(records_.report(result_).elements(step));
  }

  Records& records_;
  std::string result_, profile_, block_;
  bool perThousand_ = false;
  std::vector<CountedStep> steps_;
};

}  // namespace

std::string countsTable(const std::string& recipe, Figures& figures) {
  return Counts(recipe, figures).table();
}
