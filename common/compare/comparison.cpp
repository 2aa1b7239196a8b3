#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <list>
#include <map>

#include "base/counts.h"
#include "base/text.h"

namespace {

double median(const StepResult& step) { return spreadOf(step.kernelMs).median; }

// The machine's medians of lesson 02, by the number of elements.
std::map<uint64_t, double> mediansOfLesson02(const Report& report) {
  std::map<uint64_t, double> medians;
  for (const StepResult& step : report.steps)
    if (step.lesson == "02_neighbored" && step.isTimed() && step.isRight())
      medians.emplace(report.elements(step), median(step));
  return medians;
}

StepOnMachine onMachine(const Report& report, const StepResult& step,
                        const std::map<uint64_t, double>& lesson02) {
  StepOnMachine cell{.step = &step};
  if (step.elementBytes > 0) cell.gbps = report.gbps(step);
  if (report.machine.peakGbps > 0 && cell.gbps > 0 && step.role != Role::cpu)
    cell.percentOfPeak = 100 * cell.gbps / report.peakGbps(step);
  const bool fromCache = report.cacheOf(step).starts_with("warm");
  cell.doubted = cell.percentOfPeak.value_or(0) >= 100 * mostOfPeak && !fromCache;
  const auto first = lesson02.find(report.elements(step));
  if (first != lesson02.end() && step.isRight()) cell.overLesson02 = first->second / median(step);
  return cell;
}

// A star for each kind that more than one machine has.
void markFastest(const std::vector<const Report*>& machines, ComparedStep& compared) {
  struct Kind {
    StepOnMachine* best = nullptr;
    int count = 0;
  };
  std::map<std::string, Kind> kinds;
  for (size_t m = 0; m < machines.size(); ++m) {
    StepOnMachine& cell = compared.onMachine[m];
    if (!cell.counts()) continue;
    Kind& kind = kinds[kindOf(*machines[m], *cell.step)];
    ++kind.count;
    if (!kind.best || cell.gbps > kind.best->gbps) kind.best = &cell;
  }
  for (auto& [name, kind] : kinds) kind.best->fastest = kind.count > 1;
}

double shortest(const ComparedStep& compared) {
  double ms = INFINITY;
  for (const StepOnMachine& cell : compared.onMachine)
    if (cell.step) ms = std::min(ms, median(*cell.step));
  return ms;
}

// Files of one label side by side, where the first of them is.
void gatherLabels(std::vector<const Report*>& machines) {
  std::map<std::string, size_t> firstOf;
  std::map<const Report*, size_t> place;
  for (size_t i = 0; i < machines.size(); ++i) {
    const std::string& label = machines[i]->label;
    place[machines[i]] = label.empty() ? i : firstOf.emplace(label, i).first->second;
  }
  std::ranges::stable_sort(machines, {}, [&](const Report* report) { return place[report]; });
}

// In the order of the files: a step that no file before had goes behind the one before it.
std::vector<ComparedStep> lineUp(const std::vector<const Report*>& machines) {
  std::list<ComparedStep> steps;
  std::map<std::string, std::list<ComparedStep>::iterator> known;
  for (size_t m = 0; m < machines.size(); ++m) {
    const Report& report = *machines[m];
    const auto lesson02 = mediansOfLesson02(report);
    std::map<std::string, int> seen;
    auto next = steps.begin();
    for (const StepResult& step : report.steps) {
      if (!step.isTimed()) continue;
      std::string name = distinctName(report, step);
      if (const int times = ++seen[name]; times > 1) name += fmt::format(" ({})", times);
      auto here = known.find(name);
      if (here == known.end()) {
        const auto added = steps.insert(next, {name, {}});
        added->onMachine.resize(machines.size());
        here = known.emplace(name, added).first;
      }
      here->second->onMachine[m] = onMachine(report, step, lesson02);
      next = std::next(here->second);
    }
  }
  return {std::make_move_iterator(steps.begin()), std::make_move_iterator(steps.end())};
}

}  // namespace

Comparison compareResults(const std::vector<Report>& reports, StepOrder order) {
  Comparison all;
  for (const Report& report : reports) {
    const bool counts = std::ranges::any_of(
        report.steps, [](const StepResult& step) { return step.counters.has_value(); });
    if (counts) all.counted.push_back(&report);
    const bool estimates = std::ranges::any_of(
        report.steps, [](const StepResult& step) { return step.estimate.has_value(); });
    if (estimates) all.estimated.push_back(&report);
    if (std::ranges::any_of(report.steps, &StepResult::isTimed) || !counts)
      all.machines.push_back(&report);
  }
  gatherLabels(all.machines);
  all.sameInput = std::ranges::all_of(
      all.machines, [&](const Report* report) { return report->n == all.machines.front()->n; });
  all.steps = lineUp(all.machines);
  for (ComparedStep& compared : all.steps) markFastest(all.machines, compared);
  if (order == StepOrder::name) std::ranges::stable_sort(all.steps, {}, &ComparedStep::name);
  if (order == StepOrder::time) std::ranges::stable_sort(all.steps, {}, shortest);
  return all;
}

std::string distinctName(const Report& report, const StepResult& step) {
  std::string name = step.name;
  if (step.n && *step.n != report.n) name += ", n = " + countName(*step.n);
  if (!step.type.empty() && name.find(step.type) == std::string::npos) name += ", " + step.type;
  if (!step.cache.empty()) name += ", " + step.cache;
  return name;
}

std::string kindOf(const Report& report, const StepResult& step) {
  const std::string& cache = report.cacheOf(step);
  return report.typeOf(step) + (cache.empty() ? "" : ", " + cache);
}

std::string describe(const Report& report) {
  std::string sizes;
  for (const auto& [name, size] : report.sizes)
    sizes += fmt::format("{}{}", sizes.empty() ? "" : " × ", size);
  return fmt::format("{}, {} {}{}", report.machineName(),
                     sizes.empty() ? countName(report.n) : sizes, report.type,
                     report.block > 0 ? fmt::format(", block {}", report.block) : "");
}

std::string columnName(const Comparison& comparison, size_t machine) {
  const std::string& label = comparison.machines[machine]->label;
  if (comparison.machines.size() == 1) return label;
  return fmt::format("[{}]{}{}", machine + 1, label.empty() ? "" : " ", label);
}

std::string headed(const Comparison& comparison, size_t machine, const std::string& what) {
  const std::string name = columnName(comparison, machine);
  return name.empty() ? what : name + " " + what;
}

std::string percentText(const StepOnMachine& cell) {
  if (!cell.percentOfPeak) return "–";
  const double percent = *cell.percentOfPeak;
  return (percent < 10000 ? fixed(percent, 1) : fmt::format("{:.0e}", percent)) +
         (cell.doubted ? "?" : "");
}
