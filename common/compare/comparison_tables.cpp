#include "compare/comparison_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/counts.h"
#include "base/escape.h"
#include "base/text.h"

namespace {

std::string speedup(const StepOnMachine& cell) {
  return cell.overLesson02 ? fixed(*cell.overLesson02, 2) : "–";
}

std::string rate(double gbps) { return fixed(gbps, gbps < 100 ? 1 : 0); }

// In all and of each GPU: "9185 (4592)".
std::string rates(const StepOnMachine& cell) {
  if (!(cell.gbps > 0)) return "–";
  return fmt::format("{} ({})", rate(cell.gbps), rate(cell.gbps / cell.step->gpus));
}

// Columns that would hold nothing but dashes are left out.
bool knowsLesson02(const Comparison& comparison, size_t machine) {
  return std::ranges::any_of(comparison.steps, [&](const ComparedStep& compared) {
    return compared.onMachine[machine].overLesson02.has_value();
  });
}

bool hasSeveralGpus(const Comparison& comparison, size_t machine) {
  return comparison.machines[machine]->machine.gpus > 1;
}

// One that counts before one that does not, and then the higher rate.
bool isFaster(const StepOnMachine& a, const StepOnMachine& b) {
  return a.counts() != b.counts() ? a.counts() : a.gbps > b.gbps;
}

}  // namespace

Table timesTable(const Comparison& comparison, size_t first, size_t count) {
  const size_t end = first + std::min(count, comparison.machines.size() - first);
  const bool isPart = end - first < comparison.machines.size();
  Table table;
  Table::Row head = {"step"};
  std::vector<bool> knows02;
  for (size_t m = first; m < end; ++m) {
    // No more than three columns for a machine; of several GPUs the rates are more to the point.
    knows02.push_back(!hasSeveralGpus(comparison, m) && knowsLesson02(comparison, m));
    head.push_back(headed(comparison, m, "ms (min–max)"));
    head.push_back(knows02.back() ? "× 02" : "");
    head.push_back("% of peak");
    if (hasSeveralGpus(comparison, m)) head.push_back("GB/s (per GPU)");
  }
  table.add(head);
  for (const ComparedStep& compared : comparison.steps) {
    const auto cells = std::span(compared.onMachine).subspan(first, end - first);
    if (isPart && std::ranges::none_of(cells, &StepOnMachine::step)) continue;
    Table::Row row = {compared.name};
    for (size_t m = first; m < end; ++m) {
      const StepOnMachine& cell = compared.onMachine[m];
      if (!cell.step)
        row.push_back("–");
      else
        row.push_back({timeAndSpread(cell.step->kernelMs) + (cell.step->isRight() ? "" : " WRONG"),
                       cell.fastest});
      row.push_back(knows02[m - first] ? speedup(cell) : "");
      row.push_back(percentText(cell));
      if (hasSeveralGpus(comparison, m)) row.push_back(rates(cell));
    }
    table.add(row);
  }
  return table;
}

Table estimatesTable(const Comparison& comparison) {
  std::vector<std::string> names;
  std::set<std::string> known;
  std::vector<std::map<std::string, const StepResult*>> estimated;  // the first of each name
  Table table;
  Table::Row head = {"step"};
  for (const Report* report : comparison.estimated) {
    const StepEstimate* first = nullptr;
    auto& steps = estimated.emplace_back();
    for (const StepResult& step : report->steps) {
      steps.try_emplace(step.name, &step);
      if (!step.estimate) continue;
      if (!first) first = &*step.estimate;
      if (known.insert(step.name).second) names.push_back(step.name);
    }
    const std::string label = report->label.empty() ? "" : report->label + ": ";
    head.push_back(fmt::format("{}estimated ms, {}, {}", label, first->card, countName(first->n)));
  }
  table.add(head);
  for (const std::string& name : names) {
    Table::Row row = {name};
    for (const auto& steps : estimated) {
      const auto step = steps.find(name);
      const bool has = step != steps.end() && step->second->estimate;
      row.push_back(has ? fixed(step->second->estimate->ms, 4) : "–");
    }
    table.add(row);
  }
  return table;
}

std::vector<Table> timesTables(const Comparison& comparison, size_t columns, size_t most) {
  std::vector<Table> tables;
  for (size_t first = 0; first < comparison.machines.size();) {
    const size_t left = std::min(most, comparison.machines.size() - first);
    size_t count = 1;
    Table table = timesTable(comparison, first, count);
    while (count < left) {
      Table wider = timesTable(comparison, first, count + 1);
      if (wider.columns() > columns) break;
      table = std::move(wider);
      ++count;
    }
    tables.push_back(std::move(table));
    first += count;
  }
  return tables;
}

std::vector<Ranked> ranking(const Comparison& comparison) {
  std::vector<Ranked> ranked;
  std::map<std::string, size_t> known;
  const auto cellOf = [](const Ranked& r) -> const StepOnMachine& {
    return r.step->onMachine[r.machine];
  };
  for (size_t m = 0; m < comparison.machines.size(); ++m) {
    const Report& report = *comparison.machines[m];
    const std::string label = report.label.empty() ? fmt::format("\n{}", m) : report.label;
    for (const ComparedStep& compared : comparison.steps) {
      const StepOnMachine& cell = compared.onMachine[m];
      if (!cell.step || !cell.step->isRight() || cell.gbps == 0) continue;
      const auto [entry, isNew] = known.emplace(label, ranked.size());
      const Ranked candidate{m, &compared};
      if (isNew)
        ranked.push_back(candidate);
      else if (isFaster(cell, cellOf(ranked[entry->second])))
        ranked[entry->second] = candidate;
    }
  }
  std::ranges::stable_sort(
      ranked, [&](const Ranked& a, const Ranked& b) { return isFaster(cellOf(a), cellOf(b)); });
  return ranked;
}

Table rankingTable(const Comparison& comparison) {
  Table table;
  table.add({"label", "GB/s", "% of peak", "fastest step", "ms (min–max)", "× 02", "machine"});
  for (const size_t leftColumn : {3, 6}) table.alignLeft(leftColumn);
  for (const Ranked& r : ranking(comparison)) {
    const StepOnMachine& cell = r.step->onMachine[r.machine];
    table.add({columnName(comparison, r.machine), rate(cell.gbps), percentText(cell), r.step->name,
               timeAndSpread(cell.step->kernelMs), speedup(cell),
               describe(*comparison.machines[r.machine])});
  }
  return table;
}

std::string tidyCsv(const Comparison& comparison) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.10g}", *value) : std::string();
  };
  std::string csv =
      "file,label,machine,backend,program,n,block,step,median_ms,min_ms,max_ms,samples,gbps,"
      "over_lesson_02,percent_of_peak,right,fastest\r\n";
  for (const ComparedStep& compared : comparison.steps) {
    for (size_t m = 0; m < compared.onMachine.size(); ++m) {
      const StepOnMachine& cell = compared.onMachine[m];
      if (!cell.step) continue;
      const Report& report = *comparison.machines[m];
      const Spread ms = spreadOf(cell.step->kernelMs);
      csv += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csvField(report.file),
          csvField(report.label), csvField(report.machineName()),
          report.backend == Backend::gpu ? "gpu" : "cpu", csvField(report.program),
          report.elements(*cell.step), report.blockOf(*cell.step), csvField(compared.name),
          number(ms.median), number(ms.min), number(ms.max), cell.step->kernelMs.size(),
          number(cell.gbps > 0 ? std::optional(cell.gbps) : std::nullopt),
          number(cell.overLesson02), number(cell.percentOfPeak),
          cell.step->isRight() ? "yes" : "no", cell.fastest ? "yes" : "no");
    }
  }
  return csv;
}
