#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/counts.h"
#include "base/errors.h"
#include "base/table.h"
#include "base/terminal.h"
#include "base/text.h"
#include "report/counter_column.h"

namespace {

// The average of a count, with a digit behind the point where it is not whole.
std::string average(uint64_t count, double parts) {
  const double value = parts == 0 ? 0 : double(count) / parts;
  return fixed(value, value == double(uint64_t(value)) ? 0 : 1);
}

// What a narrow terminal has no room for goes in this order, unless all is wanted.
void mayLeaveOut(Table& table, const std::vector<CounterColumn>& shown, size_t firstColumn) {
  for (const std::string title :
       {"store sectors", "barriers", "bank conflicts", "divergent branches"})
    for (size_t i = 0; i < shown.size(); ++i)
      if (shown[i].title == title) table.mayLeaveOut(firstColumn + i);
}

std::string speedup(const StepResult* from, const StepResult& to) {
  if (!from || from == &to || from->kernelMs.empty()) return "";
  return fixed(spreadOf(from->kernelMs).median / spreadOf(to.kernelMs).median, 2) + "×";
}

// The same for the step that it is based on, which is named unless it is the row above.
std::string speedupOverBase(const Report& report, const StepResult& step) {
  const std::string text = speedup(report.find(step.basedOn), step);
  const bool isAbove = &step > &report.steps.front() && (&step)[-1].name == step.basedOn;
  return text.empty() || isAbove ? text : text + " (" + step.basedOn + ")";
}

std::string checked(const StepResult& step) {
  if (!step.fault.empty()) return "FAULT";
  if (step.ok) return "right";
  return step.realResult ? fmt::format("WRONG: {:g}", *step.realResult)
                         : fmt::format("WRONG: {}", step.result);
}

// What a table of counts has beside them.
struct CountsTable {
  bool perBlock, sums, all;
};

void printCounterTable(const Report& report, const std::vector<CounterColumn>& shown,
                       const CountsTable& kind) {
  Table table;
  Table::Row titles = {"step"};
  if (kind.perBlock) titles.push_back("blocks");
  if (!kind.all) mayLeaveOut(table, shown, titles.size());
  for (const CounterColumn& column : shown) titles.push_back(column.title);
  if (!kind.perBlock) titles.push_back("active lanes");
  if (kind.sums) titles.push_back("sum");
  table.add(titles);
  for (const StepResult& step : report.steps) {
    Table::Row row = {step.name};
    if (kind.perBlock) row.push_back(fmt::to_string(step.blocks));
    const double parts = kind.perBlock ? double(step.blocks) : double(report.elements(step)) / 1000;
    for (const CounterColumn& column : shown)
      row.push_back(step.counters ? average(column.count(*step.counters), parts) : "");
    if (!kind.perBlock) row.push_back(step.counters ? fixed(step.counters->activeLanes(), 1) : "");
    if (kind.sums) row.push_back(checked(step));
    table.add(row);
  }
  table.print();
}

}  // namespace

void printTimes(const Report& report) {
  const bool gpu = report.backend == Backend::gpu;
  const StepResult* first = report.steps.empty() ? nullptr : &report.steps.front();
  const double peak = report.machine.peakGbps;
  const StepResult* library = report.find(Role::library);
  const bool answers = std::ranges::any_of(
      report.steps, [](const StepResult& step) { return !step.answerMs.empty(); });
  Table table;  // what follows the check stands below where there is no room beside it
  table.add({"step", gpu ? "kernel ms (min–max)" : "ms (min–max)", "GB/s", "% of peak",
             "× step before", "× first", "sum", answers ? "answer ms (min–max)" : "",
             library ? (answers ? "answer: × " : "× ") + library->lesson : ""});
  for (const StepResult& step : report.steps) {
    if (step.kernelMs.empty()) {
      table.add({step.name, "", "", "", "", "", checked(step)});
      continue;
    }
    const double gbps = report.gbps(step);
    table.add({step.name, timeAndSpread(step.kernelMs), fixed(gbps, gbps < 100 ? 1 : 0),
               peak > 0 ? fixed(100 * gbps / peak, 1) : "", speedupOverBase(report, step),
               speedup(first, step), step.role == Role::roof ? "" : checked(step),
               step.answerMs.empty() ? "" : timeAndSpread(step.answerMs),
               timesLibrary(library, step) ? fixed(*timesLibrary(library, step), 2) + "×" : ""});
  }
  table.print();
  const auto abovePeak = [&](const StepResult& step) {
    return peak > 0 && !step.kernelMs.empty() && report.gbps(step) > mostOfPeak * peak;
  };
  if (std::ranges::any_of(report.steps, abovePeak))
    std::cout << "Above 100 % of peak: what fits into a cache need not come from memory.\n";
  std::cout << '\n';
}

void printCounters(const Report& report, const ShownCounts& shown) {
  const std::vector<CounterColumn> usual = usualColumns(), others = seldomColumns();
  if (shown.perBlock || shown.all) {
    const std::string block =
        report.block > 0 ? fmt::format("block of {} threads", report.block) : "block";
    std::cout << "Counted per " << block << ":\n";
    printCounterTable(report, usual, {.perBlock = true, .sums = true, .all = shown.all});
    if (shown.all) {
      std::cout << "\nThe other counters, per " << block << ":\n";
      printCounterTable(report, others, {.perBlock = true, .sums = true, .all = true});
    }
    std::cout << '\n';
  }
  std::cout << "Counted per 1,000 elements:\n";
  printCounterTable(report, usual, {.perBlock = false, .sums = !shown.perBlock, .all = shown.all});
  std::cout << '\n';
}

namespace {

void printWholeCounterTable(const Report& report, const std::vector<CounterColumn>& shown,
                            bool all) {
  Table table;
  Table::Row titles = {"step"};
  if (!all) mayLeaveOut(table, shown, titles.size());
  for (const CounterColumn& column : shown) titles.push_back(column.title);
  titles.insert(titles.end(), {"sectors per load request", "active lanes", "result"});
  table.add(titles);
  for (const StepResult& step : report.steps) {
    if (!step.counters) continue;
    const Counters& c = *step.counters;
    Table::Row row = {step.name};
    for (const CounterColumn& column : shown) row.push_back(fmt::to_string(column.count(c)));
    row.push_back(average(c.load_sectors, double(c.load_requests)));
    row.push_back(fixed(c.activeLanes(), 1));
    row.push_back(checked(step));
    table.add(row);
  }
  table.print();
}

}  // namespace

void printWholeCounters(const Report& report, bool all) {
  std::vector<CounterColumn> shown = usualColumns();
  if (all)
    for (const CounterColumn& column : seldomColumns()) shown.push_back(column);
  std::cout << "Counted in all:\n";
  printWholeCounterTable(report, shown, all);
}

namespace {

// "memory 60 %, barriers 15 %"
std::string largestShares(const StepEstimate& estimate) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(2, estimate.shares.size()); ++i) {
    const auto& [name, share] = estimate.shares[i];
    if (share < 0.005) break;
    text += fmt::format("{}{} {:.0f} %", i > 0 ? ", " : "", name, 100 * share);
  }
  return text;
}

// Over the step that it is based on, which is named unless it is in the row above.
std::string estimatedSpeedup(const Report& report, const StepResult& step,
                             const std::string& above) {
  const StepResult* const base = report.find(step.basedOn);
  if (!base || !base->estimate) return "";
  return fixed(base->estimate->ms / step.estimate->ms, 2) + "×" +
         (above == step.basedOn ? "" : " (" + step.basedOn + ")");
}

}  // namespace

void printEstimates(const Report& report,
                    const std::function<double(const StepResult& step)>& recordedMs,
                    const std::string& speedup) {
  std::vector<Table::Row> rows;
  const StepEstimate* first = nullptr;
  double error = 0, worst = 0;
  unsigned compared = 0;
  std::string above;
  for (const StepResult& step : report.steps) {
    if (!step.estimate) continue;
    const StepEstimate& e = *step.estimate;
    if (!first) first = &e;
    const double recorded = recordedMs(step);
    if (recorded > 0) {
      const double wrong = std::abs(e.ms / recorded - 1);
      error += wrong;
      worst = std::max(worst, wrong);
      ++compared;
    }
    rows.push_back({step.name, fixed(e.ms, 4), estimatedSpeedup(report, step, above),
                    largestShares(e), recorded > 0 ? fixed(recorded, 4) : "",
                    recorded > 0 ? fixed(e.ms / recorded, 2) : ""});
    above = step.name;
  }
  if (!first) return;
  std::cout << sentence(
      fmt::format("Estimated on an {} at n = {}{}, not measured:", first->card, countName(first->n),
                  report.block > 0 ? fmt::format(", block {}", report.block) : ""));
  Table table;
  table.alignLeft(3);
  for (const size_t column : {5, 4}) table.mayLeaveOut(column);
  table.add({"step", "estimated ms", speedup, "warps wait most for",
             compared > 0 ? "recorded ms" : "", compared > 0 ? "÷ recorded" : ""});
  for (Table::Row& row : rows) table.add(std::move(row));
  table.print();
  if (compared > 0)
    std::cout << sentence(
        fmt::format("Where a time was recorded, these estimates are wrong by {:.0f} % on average, "
                    "{:.0f} % at most.",
                    100 * error / compared, 100 * worst));
  std::cout << '\n';
}

int complain(const Report& report) {
  for (const StepResult& step : report.steps)
    if (const std::string mistake = mistakeOf(step); !mistake.empty())
      std::cerr << report.program << ": " << mistake << '\n';
  return report.allRight() ? exitRight : exitWrong;
}
