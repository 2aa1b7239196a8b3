#include "compare/comparison.h"

#include "base/counts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace {

bool timed(const StepResult& step) { return !step.kernelMs.empty(); }
bool right(const StepResult& step) { return step.ok && step.fault.empty(); }
double median(const StepResult& step) { return spreadOf(step.kernelMs).median; }

// What tells the steps of a report apart: the name, and what differs from the rest of the report.
std::string rowName(const Report& report, const StepResult& step) {
  std::string name = step.name;
  if (step.n && *step.n != report.n) name += ", n = " + countName(*step.n);
  if (!step.type.empty() && name.find(step.type) == std::string::npos) name += ", " + step.type;
  if (!step.cache.empty()) name += ", " + step.cache;
  return name;
}

Cell makeCell(const Report& report, const StepResult& step) {
  Cell cell{.step = &step};
  if (step.elementBytes > 0) cell.gbps = report.gbps(step);
  if (report.machine.peakGbps > 0 && cell.gbps > 0 && !step.name.starts_with("CPU,"))
    cell.percentOfPeak = 100 * cell.gbps / report.machine.peakGbps;
  for (const StepResult& first : report.steps)
    if (first.lesson == "02_neighbored" && timed(first) && right(first) && right(step) &&
        report.elements(first) == report.elements(step)) {
      cell.overLesson02 = median(first) / median(step);
      break;
    }
  return cell;
}

void markFastest(Row& row) {
  Cell* best = nullptr;
  int count = 0;
  for (Cell& cell : row.cells) {
    if (!cell.step || !right(*cell.step) || cell.gbps == 0) continue;
    ++count;
    if (!best || cell.gbps > best->gbps) best = &cell;
  }
  if (count > 1) best->fastest = true;
}

double shortest(const Row& row) {
  double ms = INFINITY;
  for (const Cell& cell : row.cells)
    if (cell.step) ms = std::min(ms, median(*cell.step));
  return ms;
}

struct Named {
  const char* name;
  uint64_t (*count)(const Counters&);
};
const std::vector<Named> reasons = {
    {"load requests", [](const Counters& c) { return c.load_requests; }},
    {"load sectors", [](const Counters& c) { return c.load_sectors; }},
    {"store requests", [](const Counters& c) { return c.store_requests; }},
    {"store sectors", [](const Counters& c) { return c.store_sectors; }},
    {"shared requests",
     [](const Counters& c) { return c.shared_load_requests + c.shared_store_requests; }},
    {"bank conflicts",
     [](const Counters& c) { return c.shared_load_conflicts + c.shared_store_conflicts; }},
    {"divergent branches", [](const Counters& c) { return c.divergent_branches; }},
    {"barriers", [](const Counters& c) { return c.barriers; }},
    {"shuffles", [](const Counters& c) { return c.shuffles; }},
    {"atomics", [](const Counters& c) { return c.atomics; }}};

double perThousand(const Report& report, const StepResult& step, const Named& counter) {
  const double n = double(report.elements(step));
  return n == 0 ? 0 : 1000 * double(counter.count(*step.counters)) / n;
}

std::string shortNumber(double value) {
  return fixed(value, value == std::floor(value) || value >= 100 ? 0 : 1);
}

std::string percent(const Cell& cell) {
  return cell.percentOfPeak ? fixed(*cell.percentOfPeak, 1) : "–";
}
std::string speedup(const Cell& cell) {
  return cell.overLesson02 ? fixed(*cell.overLesson02, 2) : "–";
}

}  // namespace

Comparison compareResults(const std::vector<Report>& reports, RowOrder order) {
  Comparison all;
  for (const Report& report : reports) {
    const auto any = [&](auto has) {
      return std::any_of(report.steps.begin(), report.steps.end(), has);
    };
    const bool counts = any([](const StepResult& step) { return step.counters.has_value(); });
    if (counts) all.counted.push_back(&report);
    if (any(timed) || !counts) all.machines.push_back(&report);
  }
  // Files of one label side by side, where the first of them is.
  std::map<std::string, size_t> firstOf;
  for (size_t i = 0; i < all.machines.size(); ++i) firstOf.emplace(all.machines[i]->label, i);
  std::map<const Report*, size_t> place;
  for (size_t i = 0; i < all.machines.size(); ++i)
    place[all.machines[i]] = all.machines[i]->label.empty() ? i : firstOf[all.machines[i]->label];
  std::stable_sort(all.machines.begin(), all.machines.end(),
                   [&](const Report* a, const Report* b) { return place[a] < place[b]; });

  std::map<std::string, size_t> rowOf;
  for (size_t m = 0; m < all.machines.size(); ++m) {
    const Report& report = *all.machines[m];
    if (report.n != all.machines.front()->n) all.sameInput = false;
    std::map<std::string, int> seen;
    size_t after = 0;  // where a step goes that no file before had: behind the one before it
    for (const StepResult& step : report.steps) {
      if (!timed(step)) continue;
      std::string name = rowName(report, step);
      if (const int times = ++seen[name]; times > 1) name += " (" + std::to_string(times) + ")";
      const auto known = rowOf.find(name);
      if (known == rowOf.end()) {
        all.rows.insert(all.rows.begin() + long(after),
                        {name, std::vector<Cell>(all.machines.size())});
        for (auto& [other, index] : rowOf) index += index >= after;
        rowOf[name] = after;
      } else {
        after = known->second;
      }
      all.rows[after++].cells[m] = makeCell(report, step);
    }
  }
  for (Row& row : all.rows) markFastest(row);
  if (order == RowOrder::name)
    std::stable_sort(all.rows.begin(), all.rows.end(),
                     [](const Row& a, const Row& b) { return a.name < b.name; });
  if (order == RowOrder::time)
    std::stable_sort(all.rows.begin(), all.rows.end(),
                     [](const Row& a, const Row& b) { return shortest(a) < shortest(b); });
  return all;
}

std::string describe(const Report& report) {
  std::string text = report.machine.name + ", ";
  if (report.sizes.empty()) {
    text += countName(report.n);
  } else {
    for (size_t i = 0; i < report.sizes.size(); ++i)
      text += (i == 0 ? "" : " × ") + std::to_string(report.sizes[i].second);
  }
  text += " " + report.type;
  if (report.block > 0) text += ", block " + std::to_string(report.block);
  return text;
}

std::string columnName(const Comparison& comparison, size_t machine) {
  const std::string& label = comparison.machines[machine]->label;
  if (comparison.machines.size() == 1) return label;
  return "[" + std::to_string(machine + 1) + "]" + (label.empty() ? "" : " " + label);
}

std::string headed(const Comparison& comparison, size_t machine, const std::string& what) {
  const std::string name = columnName(comparison, machine);
  return name.empty() ? what : name + " " + what;
}

Table timesTable(const Comparison& comparison) {
  Table table;
  Table::Row head = {"step"};
  std::vector<bool> knows02;  // a column of nothing but dashes is left out
  for (size_t m = 0; m < comparison.machines.size(); ++m) {
    knows02.push_back(
        std::any_of(comparison.rows.begin(), comparison.rows.end(),
                    [&](const Row& row) { return row.cells[m].overLesson02.has_value(); }));
    head.push_back(headed(comparison, m, "ms (min–max)"));
    head.push_back(knows02[m] ? "× 02" : "");
    head.push_back("% of peak");
  }
  table.add(head);
  for (const Row& row : comparison.rows) {
    Table::Row line = {row.name};
    for (size_t m = 0; m < row.cells.size(); ++m) {
      const Cell& cell = row.cells[m];
      if (!cell.step)
        line.push_back("–");
      else
        line.push_back({timeAndSpread(cell.step->kernelMs) + (right(*cell.step) ? "" : " WRONG"),
                        cell.fastest});
      line.push_back(knows02[m] ? speedup(cell) : "");
      line.push_back(percent(cell));
    }
    table.add(line);
  }
  return table;
}

Table labelsTable(const Comparison& comparison) {
  Table table;
  table.add({"label", "machine", "fastest step", "ms (min–max)", "GB/s", "× 02", "% of peak"});
  struct Best {
    const Report* report;
    std::string name;
    Cell cell;
  };
  std::vector<std::pair<std::string, Best>> labels;
  for (size_t m = 0; m < comparison.machines.size(); ++m) {
    const Report& report = *comparison.machines[m];
    const std::string label =
        report.label.empty() ? "[" + std::to_string(m + 1) + "]" : report.label;
    for (const Row& row : comparison.rows) {
      const Cell& cell = row.cells[m];
      if (!cell.step || !right(*cell.step) || cell.gbps == 0) continue;
      const auto known = std::find_if(labels.begin(), labels.end(),
                                      [&](const auto& entry) { return entry.first == label; });
      if (known == labels.end())
        labels.push_back({label, {&report, row.name, cell}});
      else if (cell.gbps > known->second.cell.gbps)
        known->second = {&report, row.name, cell};
    }
  }
  std::stable_sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) {
    return a.second.cell.gbps > b.second.cell.gbps;
  });
  for (const auto& [label, best] : labels)
    table.add({label, describe(*best.report), best.name, timeAndSpread(best.cell.step->kernelMs),
               fixed(best.cell.gbps, best.cell.gbps < 100 ? 1 : 0), speedup(best.cell),
               percent(best.cell)});
  return table;
}

std::string whatMoved(const Report& report, const StepResult& from, const StepResult& to) {
  struct Move {
    double size;
    std::string text;
  };
  std::vector<Move> moves;
  for (const Named& counter : reasons) {
    const double before = perThousand(report, from, counter);
    const double after = perThousand(report, to, counter);
    const double least = 0.05;  // of fewer in 1,000 elements nothing is said
    if (before < least && after < least) continue;
    const double ratio = std::max(before, after) / std::min(before, after);
    if (!(ratio > 1.05)) continue;
    const std::string name = counter.name;
    if (before == 0)
      moves.push_back({1e6, name + " 0 → " + shortNumber(after)});
    else if (after == 0)
      moves.push_back({1e6, name + " → 0"});
    else
      moves.push_back({ratio, name + (after < before ? " ÷ " : " × ") + shortNumber(ratio)});
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Move& a, const Move& b) { return a.size > b.size; });
  std::string text;
  for (size_t i = 0; i < moves.size() && i < 4; ++i) text += (i == 0 ? "" : ", ") + moves[i].text;
  return moves.empty() ? "none" : text;
}

Table reasonsTable(const Comparison& comparison, const Report& counted) {
  const std::vector<size_t> shown = {0, 1, 5, 6, 7};  // of the reasons
  std::vector<const Report*> machines;
  Table table;
  Table::Row head = {"step"};
  for (const size_t i : shown) head.push_back(reasons[i].name);
  for (size_t m = 0; m < comparison.machines.size(); ++m) {
    const Report& report = *comparison.machines[m];
    const bool shares =
        std::any_of(counted.steps.begin(), counted.steps.end(), [&](const StepResult& step) {
          const StepResult* const here = step.counters ? report.find(step.name) : nullptr;
          return here && timed(*here);
        });
    if (!shares) continue;
    machines.push_back(&report);
    head.push_back(headed(comparison, m, "ms"));
    head.push_back("× before");
  }
  table.alignLeft(head.size());
  head.push_back("what moved");
  table.add(head);
  for (const StepResult& step : counted.steps) {
    if (!step.counters) continue;
    Table::Row row = {rowName(counted, step)};
    for (const size_t i : shown) row.push_back(shortNumber(perThousand(counted, step, reasons[i])));
    const StepResult* const before = step.basedOn.empty() ? nullptr : counted.find(step.basedOn);
    for (const Report* machine : machines) {
      const StepResult* const here = machine->find(step.name);
      const StepResult* const base = before ? machine->find(before->name) : nullptr;
      const bool known = here && timed(*here) && right(*here);
      row.push_back(known ? milliseconds(median(*here)) : "–");
      row.push_back(known && base && timed(*base) && right(*base) &&
                            machine->elements(*base) == machine->elements(*here)
                        ? fixed(median(*base) / median(*here), 2)
                        : "–");
    }
    row.push_back(before && before->counters ? whatMoved(counted, *before, step) : "–");
    table.add(row);
  }
  return table;
}

// A cell that a spreadsheet takes for text or for a number, never for a formula.
static std::string csvCell(std::string text) {
  if (!text.empty() && std::string("=+-@").find(text[0]) != std::string::npos) text = "'" + text;
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string tidyCsv(const Comparison& comparison) {
  std::ostringstream csv;
  csv.precision(10);
  csv << "file,label,machine,backend,program,n,block,step,median_ms,min_ms,max_ms,samples,gbps,"
         "over_lesson_02,percent_of_peak,right,fastest\r\n";
  for (const Row& row : comparison.rows) {
    for (size_t m = 0; m < row.cells.size(); ++m) {
      const Cell& cell = row.cells[m];
      if (!cell.step) continue;
      const Report& report = *comparison.machines[m];
      const Spread ms = spreadOf(cell.step->kernelMs);
      const auto number = [&](const std::optional<double>& value) {
        csv << ',';
        if (value) csv << *value;
      };
      for (const std::string& text : {report.file, report.label, report.machine.name})
        csv << csvCell(text) << ',';
      csv << (report.backend == Backend::gpu ? "gpu" : "cpu") << ',' << csvCell(report.program)
          << ',' << report.elements(*cell.step) << ','
          << (cell.step->block > 0 ? cell.step->block : report.block) << ',' << csvCell(row.name)
          << ',' << ms.median << ',' << ms.min << ',' << ms.max << ','
          << cell.step->kernelMs.size();
      number(cell.gbps > 0 ? std::optional(cell.gbps) : std::nullopt);
      number(cell.overLesson02);
      number(cell.percentOfPeak);
      csv << ',' << (right(*cell.step) ? "yes" : "no") << ',' << (cell.fastest ? "yes" : "no")
          << "\r\n";
    }
  }
  return csv.str();
}
