#include "compare/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "report/counter_column.h"

namespace {

constexpr size_t mostMachines = 3;  // in the table: beside them is what moved, which is long

// What the table has of them: what stores cost is seldom why.
std::vector<CounterColumn> shownColumns() {
  std::vector<CounterColumn> columns = usualColumns();
  std::erase_if(columns, [](const CounterColumn& column) {
    return column.members.front() == &Counters::store_sectors;
  });
  return columns;
}

double perThousand(const Report& report, const StepResult& step, const CounterColumn& column) {
  const double n = double(report.elements(step));
  return n == 0 ? 0 : 1000 * double(column.count(*step.counters)) / n;
}

std::string shortNumber(double value) {
  return fixed(value, value == std::floor(value) || value >= 100 ? 0 : 1);
}

// The first step of each name.
using StepsByName = std::unordered_map<std::string, const StepResult*>;

StepsByName byName(const Report& report) {
  StepsByName steps;
  for (const StepResult& step : report.steps) steps.emplace(step.name, &step);
  return steps;
}

const StepResult* stepIn(const StepsByName& steps, const std::string& name) {
  const auto step = steps.find(name);
  return step == steps.end() ? nullptr : step->second;
}

struct TimedMachine {
  size_t index;
  const Report* report;
  StepsByName steps;

  const StepResult* timed(const std::string& name) const {
    const StepResult* const step = stepIn(steps, name);
    return step && step->isTimed() && step->isRight() ? step : nullptr;
  }
};

// Those that timed a step of the counted report.
std::vector<TimedMachine> machinesFor(const Comparison& comparison, const Report& counted) {
  std::vector<TimedMachine> machines;
  for (size_t m = 0; m < comparison.machines.size() && machines.size() < mostMachines; ++m) {
    TimedMachine machine{m, comparison.machines[m], byName(*comparison.machines[m])};
    if (std::ranges::any_of(counted.steps, [&](const StepResult& step) {
          const StepResult* const here = stepIn(machine.steps, step.name);
          return step.counters && here && here->isTimed();
        }))
      machines.push_back(std::move(machine));
  }
  return machines;
}

// The time, and how many times as fast as the step before it.
void addTimes(const TimedMachine& machine, const StepResult& step, const StepResult* before,
              Table::Row& row) {
  const StepResult* const here = machine.timed(step.name);
  const StepResult* const base = before ? machine.timed(before->name) : nullptr;
  row.push_back(here ? milliseconds(spreadOf(here->kernelMs).median) : "–");
  const bool alike =
      here && base && machine.report->elements(*base) == machine.report->elements(*here);
  row.push_back(alike ? fixed(spreadOf(base->kernelMs).median / spreadOf(here->kernelMs).median, 2)
                      : "–");
}

}  // namespace

std::string whatMoved(const Report& report, const StepResult& from, const StepResult& to,
                      size_t most) {
  struct Move {
    double size;
    std::string text;
  };
  std::vector<Move> moves;
  for (const CounterColumn& counter : counterColumns()) {
    const double before = perThousand(report, from, counter);
    const double after = perThousand(report, to, counter);
    const double least = 0.05;  // of fewer in 1,000 elements nothing is said
    if (before < least && after < least) continue;
    const double ratio = std::max(before, after) / std::min(before, after);
    if (!(ratio > 1.05)) continue;
    if (before == 0)
      moves.push_back({1e6, fmt::format("{} 0 → {}", counter.title, shortNumber(after))});
    else if (after == 0)
      moves.push_back({1e6, counter.title + " → 0"});
    else
      moves.push_back({ratio, fmt::format("{} {} {}", counter.title, after < before ? "÷" : "×",
                                          shortNumber(ratio))});
  }
  std::ranges::stable_sort(moves, std::ranges::greater(), &Move::size);
  std::string text;
  for (size_t i = 0; i < std::min(moves.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + moves[i].text;
  return moves.empty() ? "none" : text;
}

Table reasonsTable(const Comparison& comparison, const Report& counted,
                   const ReasonColumns& shown) {
  const auto columns = shown.counters ? shownColumns() : std::vector<CounterColumn>();
  const std::vector<TimedMachine> machines = machinesFor(comparison, counted);
  const StepsByName steps = byName(counted);
  Table table;
  Table::Row head = {"step"};
  for (const CounterColumn& column : columns) head.push_back(column.title);
  for (const TimedMachine& machine : machines) {
    head.push_back(headed(comparison, machine.index, "ms"));
    head.push_back("× before");
  }
  table.alignLeft(head.size());
  head.push_back("what moved");
  table.add(head);
  for (const StepResult& step : counted.steps) {
    if (!step.counters) continue;
    Table::Row row = {distinctName(counted, step)};
    for (const CounterColumn& column : columns)
      row.push_back(shortNumber(perThousand(counted, step, column)));
    const StepResult* const before = step.basedOn.empty() ? nullptr : stepIn(steps, step.basedOn);
    for (const TimedMachine& machine : machines) addTimes(machine, step, before, row);
    row.push_back(before && before->counters ? whatMoved(counted, *before, step, shown.mostMoves)
                                             : "–");
    table.add(row);
  }
  return table;
}
