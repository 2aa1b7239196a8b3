// Prints what the model is worth, as Markdown: measured, estimated and error, of the
// microbenchmarks and of what stands in common/results/h200_estimated.csv; and what warps wait for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>

#include "../microbenchmarks.h"
#include "../tree_kernels.h"
#include "base/errors.h"
#include "base/program_main.h"
#include "base/table.h"
#include "estimate/launch_time.h"
#include "record.h"
#include "report/result_file.h"

namespace {

using namespace estimate;

struct Line {
  std::string name, where;
  double estimated = 0, measured = 0;
  double error() const { return estimated / measured - 1; }
};

std::string percent(double error) { return fmt::format("{:+.1f} %", 100 * error); }

void print(const std::vector<Line>& lines, const std::string& unit) {
  Table table;
  table.add({"what", "where", "measured" + unit, "estimated" + unit, "error"});
  double sum = 0, largest = 0;
  for (const Line& line : lines) {
    table.add({line.name, line.where, fmt::format("{:.4g}", line.measured),
               fmt::format("{:.4g}", line.estimated), percent(line.error())});
    sum += std::abs(line.error());
    largest = std::max(largest, std::abs(line.error()));
  }
  if (lines.empty()) return;
  const auto within = std::count_if(lines.begin(), lines.end(),
                                    [](const Line& l) { return std::abs(l.error()) <= 0.15; });
  std::cout << table.markdown()
            << fmt::format("\n{} of {} within 15 %; mean error {:.1f} %, largest {:.1f} %.\n",
                           within, lines.size(), 100 * sum / double(lines.size()), 100 * largest);
}

void microbenchmarkTable(const std::string& card) {
  const auto figures = readFigures(fmt::format("{}/{}_microbenchmarks.csv", WORKSHOP_CARDS, card));
  const Card values = findCard(card);
  std::vector<Line> lines;
  for (const Microbenchmark& each : microbenchmarks())
    if (figures.contains(each.figure))
      lines.push_back({each.figure, "", each.simulate(values), figures.at(each.figure)});
  print(lines, "");
}

// Little's curve: GB/s by loads of 4 bytes in flight and resident warps, measured and estimated.
void littleTables(const std::string& card) {
  const auto figures = readFigures(fmt::format("{}/{}_microbenchmarks.csv", WORKSHOP_CARDS, card));
  const Card values = findCard(card);
  std::map<std::string, double> estimated;
  for (const Microbenchmark& each : microbenchmarks())
    if (each.figure.starts_with("read, ")) estimated[each.figure] = each.simulate(values);
  for (const auto& [title, from] : {std::pair{"measured", &figures}, {"estimated", &estimated}}) {
    Table table;
    Table::Row head = {fmt::format("GB/s, {}: loads in flight of each thread", title)};
    for (const unsigned warps : {4, 8, 16, 32}) head.push_back(fmt::format("{} warps", warps));
    table.add(std::move(head));
    for (const unsigned loads : {1, 2, 4, 8, 16}) {
      Table::Row row = {std::to_string(loads)};
      for (const unsigned warps : {4, 8, 16, 32})
        row.push_back(fmt::format(
            "{:.0f}",
            from->at(fmt::format("read, {} loads of 4 bytes in flight, {} warps", loads, warps))));
      table.add(std::move(row));
    }
    std::cout << table.markdown() << (from == &figures ? "\n" : "");
  }
}

// Lessons 02 to 06 as lists written by hand: the model alone.
void treeTable(const std::string& card) {
  const Card values = findCard(card);
  std::vector<Line> lines;
  for (const TreeStep& tree : treeSteps()) {
    const std::string block = tree.threads == 512 ? "" : fmt::format("_block_{}", tree.threads);
    const Report report =
        readResult(fmt::format("{}/{}_ladder{}.json", WORKSHOP_RESULTS, card, block));
    const StepResult* step = report.find(tree.name);
    if (!step || !step->isTimed()) continue;
    lines.push_back({tree.name, fmt::format("2^28, {}", tree.threads),
                     estimateLaunch(treeLaunch(tree.kernel, tree.threads), values).ms,
                     spreadOf(step->kernelMs).median});
  }
  print(lines, " ms");
}

// A group of the record, beside what was measured.
void recordTable(const std::string& group) {
  std::vector<Line> lines;
  for (const RecordedEstimate& e : readEstimates(WORKSHOP_RESULTS "/h200_estimated.csv"))
    if (const double measured = e.group == group ? measuredMs(e, WORKSHOP_RESULTS) : 0;
        measured > 0)
      lines.push_back({e.step, e.where, e.ms, measured});
  print(lines, " ms");
}

// The largest reason to wait, by the profiler and by the model, and the instructions.
void waitsTable() {
  const auto shares = [](const Reasons& reasons) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(2, reasons.size()); ++i)
      text += fmt::format("{}{} {:.0f} %", i > 0 ? "; " : "", reasons[i].first,
                          100 * reasons[i].second);
    return text;
  };
  Table table;
  table.add({"kernel", "profiler", "model", "the largest", "instructions, model ÷ profiler"});
  for (const size_t column : {1, 2, 3}) table.alignLeft(column);
  unsigned all = 0, same = 0, near = 0;
  for (const RecordedEstimate& e : readEstimates(WORKSHOP_RESULTS "/h200_estimated.csv")) {
    if (e.group != "profile") continue;
    const Profiled theirs = profiled(e.kernel, WORKSHOP_RESULTS "/h200_stalls.csv");
    const Reasons ours = reasonsOf(e);
    if (theirs.reasons.empty() || ours.empty()) continue;
    const bool isSame = ours[0].first == theirs.reasons[0].first;
    const double instructions = e.instructions / theirs.instructions;
    ++all, same += isSame, near += std::abs(instructions - 1) <= 0.2;
    table.add({e.step, shares(theirs.reasons), shares(ours), isSame ? "the same" : "another",
               fmt::format("{:.2f}", instructions)});
  }
  std::cout << table.markdown()
            << fmt::format(
                   "\nThe largest reason is the same for {} of {} kernels; instructions are "
                   "within 20 % for {}.\n",
                   same, all, near);
}

// Estimated milliseconds of a group's steps, and without some of their costs.
void withoutTable(const std::string& group) {
  Table::Row head = {"step"};
  std::vector<Table::Row> rows;
  std::string last;
  for (const RecordedEstimate& e : readEstimates(WORKSHOP_RESULTS "/h200_estimated.csv")) {
    if (e.group != "without, " + group) continue;
    if (rows.empty() || last != e.step) rows.push_back({e.step});
    last = e.step;
    if (rows.size() == 1) head.push_back(e.where);
    rows.back().push_back(fmt::format("{:.3f}", e.ms));
  }
  Table table;
  table.add(std::move(head));
  for (Table::Row& row : rows) table.add(std::move(row));
  std::cout << table.markdown();
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("estimate_table", [&] {
    const std::string what = argc == 2 ? argv[1] : "";
    const std::map<std::string, std::function<void()>> tables = {
        {"ladder-2e28", [] { recordTable("ladder 2^28"); }},
        {"ladder-2e24", [] { recordTable("ladder 2^24"); }},
        {"ladder-2e20", [] { recordTable("ladder 2^20"); }},
        {"segments", [] { recordTable("segments"); }},
        {"lesson-09", [] { recordTable("lesson 09"); }},
        {"public", [] { recordTable("public"); }},
        {"waits", waitsTable},
        {"without-ladder", [] { withoutTable("ladder"); }},
        {"without-segments", [] { withoutTable("segments"); }},
        {"little", [] { littleTables("h200"); }},
        {"trees", [] { treeTable("h200"); }},
        {"microbenchmarks", [] { microbenchmarkTable("h200"); }}};
    const auto table = tables.find(what);
    if (table == tables.end()) {
      std::string names;
      for (const auto& [name, print] : tables) names += (names.empty() ? "" : ", ") + name;
      throw Error(exitUsage, "usage: estimate_table " + names);
    }
    table->second();
    return exitRight;
  });
}
