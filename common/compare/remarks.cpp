// What to know before believing the tables.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/counts.h"
#include "base/text.h"
#include "compare/comparison_tables.h"

namespace {

constexpr size_t mostOfAKind = 5;  // of wrong results and of doubts, for each machine

std::string nameOf(const Comparison& comparison, size_t machine) {
  return comparison.machines.size() == 1 ? "" : fmt::format("[{}] ", machine + 1);
}

void addWrongResults(const Comparison& comparison, size_t machine,
                     std::vector<std::string>& lines) {
  size_t wrong = 0;
  for (const StepResult& step : comparison.machines[machine]->steps)
    if (!step.isRight() && ++wrong <= mostOfAKind)
      lines.push_back(nameOf(comparison, machine) +
                      (step.fault.empty() ? mistakeOf(step) : step.name + " ended in a fault") +
                      ".");
  if (wrong > mostOfAKind)
    lines.push_back(fmt::format("{}and {} more wrong results.", nameOf(comparison, machine),
                                wrong - mostOfAKind));
}

void addDoubts(const Comparison& comparison, size_t machine, std::vector<std::string>& lines) {
  const StepOnMachine* highest = nullptr;
  size_t doubted = 0;
  for (const ComparedStep& compared : comparison.steps) {
    const StepOnMachine& cell = compared.onMachine[machine];
    if (!cell.doubted) continue;
    ++doubted;
    if (!highest || cell.gbps > highest->gbps) highest = &cell;
  }
  if (!highest) return;
  const std::string percent = percentText(*highest);  // with its mark
  const std::string others = doubted == 1 ? "" : fmt::format(" and {} more steps", doubted - 1);
  lines.push_back(
      fmt::format("{}{}{}: {} % of the peak, more than the memory can deliver: the input came from "
                  "a cache, or a figure in {} is wrong. Marked with ?, neither starred nor ranked "
                  "before others.",
                  nameOf(comparison, machine), highest->step->name, others,
                  percent.substr(0, percent.size() - 1), comparison.machines[machine]->file));
}

// "Blocks differ: 512 threads in [1] [3], 64 threads in [2]", where machines did the same step with
// different values.
template <typename ValueOf>
void addDifference(const Comparison& comparison, const std::string& what, const ValueOf& valueOf,
                   const std::string& consequence, std::vector<std::string>& lines) {
  bool differ = false;
  std::vector<std::set<std::string>> valuesOf(comparison.machines.size());
  for (const ComparedStep& compared : comparison.steps) {
    std::set<std::string> values;
    for (size_t m = 0; m < valuesOf.size(); ++m)
      if (const StepResult* step = compared.onMachine[m].step) {
        const std::string value = valueOf(*comparison.machines[m], *step);
        values.insert(value);
        valuesOf[m].insert(value);
      }
    differ = differ || values.size() > 1;
  }
  if (!differ) return;
  std::map<std::string, std::string> machinesWith;
  for (size_t m = 0; m < valuesOf.size(); ++m)
    for (const std::string& value : valuesOf[m]) machinesWith[value] += fmt::format(" [{}]", m + 1);
  std::string line;
  for (const auto& [value, machines] : machinesWith)
    line += fmt::format("{} {} in{}", line.empty() ? "" : ",", value, machines);
  lines.push_back(fmt::format("{} differ:{}{}.", what, line, consequence));
}

// Cards of one name need not be alike: which figures are of which, or that nobody knows.
void addCards(const Comparison& comparison, std::vector<std::string>& lines) {
  std::map<std::string, std::map<std::string, std::vector<size_t>>> cardsOf;  // by name, identity
  for (size_t m = 0; m < comparison.machines.size(); ++m)
    if (const Report& r = *comparison.machines[m]; r.backend == Backend::gpu)
      cardsOf[r.machine.name][r.machine.identity].push_back(m);
  for (const auto& [name, cards] : cardsOf) {
    std::string line;
    size_t files = 0;
    for (const auto& [identity, machines] : cards) {
      line +=
          fmt::format("{} {}", line.empty() ? "" : ",", identity.empty() ? "unknown" : identity);
      double roof = 0;
      for (const size_t m : machines)
        roof = std::max(roof, comparison.machines[m]->machine.roofGbps);
      if (roof > 0) line += fmt::format(" (reads {:.0f} GB/s)", roof);
      line += " in";
      for (const size_t m : machines) line += fmt::format(" [{}]", m + 1);
      files += machines.size();
    }
    if (cards.size() > 1 || (files > 1 && cards.begin()->first.empty()))
      lines.push_back(fmt::format("Cards called {} need not be alike:{}.", name, line));
  }
}

}  // namespace

std::vector<std::string> remarks(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (size_t m = 0; m < comparison.machines.size(); ++m) {
    addWrongResults(comparison, m, lines);
    addDoubts(comparison, m, lines);
  }
  addCards(comparison, lines);
  addDifference(
      comparison, "Lengths",
      [](const Report& report, const StepResult& step) { return countName(report.elements(step)); },
      "; rates in GB/s compare", lines);
  addDifference(
      comparison, "Types",
      [](const Report& report, const StepResult& step) { return report.typeOf(step); },
      "; stars only among equal ones", lines);
  addDifference(
      comparison, "Blocks",
      [](const Report& report, const StepResult& step) {
        const unsigned block = report.blockOf(step);
        return block == 0 ? std::string("unknown") : fmt::format("{} threads", block);
      },
      "", lines);
  addDifference(
      comparison, "Caches",
      [](const Report& report, const StepResult& step) {
        const std::string& cache = report.cacheOf(step);
        return cache.empty() ? "unknown" : "\"" + cache + "\"";
      },
      "; stars only among equal ones", lines);
  return lines;
}
