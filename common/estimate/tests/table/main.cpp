// Prints what the model is worth, as Markdown: measured, estimated and error on every card, of the
// microbenchmarks and of what stands in common/results/NAME_estimated.csv; and what warps wait for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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

// In the order in which the tables show them. The model was fitted on the first.
const std::vector<std::string> judgedCards = {"h200", "h100"};

std::string inCapitals(std::string card) {
  for (char& c : card) c = char(std::toupper(c));
  return card;
}

std::string estimatesOf(const std::string& card) {
  return fmt::format("{}/{}_estimated.csv", WORKSHOP_RESULTS, card);
}

std::string microbenchmarksOf(const std::string& card) {
  return fmt::format("{}/{}_microbenchmarks.csv", WORKSHOP_CARDS, card);
}

// What was measured and estimated on a card.
struct Pair {
  double estimated = 0, measured = 0;
  double error() const { return estimated / measured - 1; }
};

// A thing that was estimated, and each card's figures of it, where it was measured there.
struct Line {
  std::string name, where;
  std::map<std::string, Pair> cards = {};
};

// Adds a card's figures to the line of that name, or a line.
void addTo(std::vector<Line>& lines, const std::string& name, const std::string& where,
           const std::string& card, const Pair& pair) {
  auto line = std::ranges::find_if(
      lines, [&](const Line& l) { return l.name == name && l.where == where; });
  if (line == lines.end()) line = lines.insert(line, {name, where});
  line->cards[card] = pair;
}

std::string percent(double error) { return fmt::format("{:+.1f} %", 100 * error); }

// "60 of 64 within 15 %; mean error 6.7 %, largest 16.8 %."
std::string summary(const std::vector<Line>& lines, const std::string& card) {
  double sum = 0, largest = 0;
  unsigned all = 0, within = 0;
  for (const Line& line : lines)
    if (const auto pair = line.cards.find(card); pair != line.cards.end()) {
      const double error = std::abs(pair->second.error());
      sum += error;
      largest = std::max(largest, error);
      ++all;
      within += error <= 0.15;
    }
  return fmt::format("{} of {} within 15 %; mean error {:.1f} %, largest {:.1f} %.", within, all,
                     100 * sum / std::max(1u, all), 100 * largest);
}

void print(const std::vector<Line>& lines, const std::string& unit) {
  std::vector<std::string> cards;
  for (const std::string& card : judgedCards)
    if (std::ranges::any_of(lines, [&](const Line& l) { return l.cards.contains(card); }))
      cards.push_back(card);
  if (cards.empty()) return;
  Table table;
  Table::Row head = {"what", "where"};
  for (const std::string& card : cards)
    for (const std::string& column : {"measured" + unit, "estimated" + unit, std::string("error")})
      head.push_back(inCapitals(card) + ": " + column);
  table.add(std::move(head));
  for (const Line& line : lines) {
    Table::Row row = {line.name, line.where};
    for (const std::string& card : cards) {
      const auto pair = line.cards.find(card);
      if (pair == line.cards.end()) {
        row.insert(row.end(), {"", "", ""});
        continue;
      }
      row.push_back(fmt::format("{:.4g}", pair->second.measured));
      row.push_back(fmt::format("{:.4g}", pair->second.estimated));
      row.push_back(percent(pair->second.error()));
    }
    table.add(std::move(row));
  }
  std::cout << table.markdown() << '\n';
  for (const std::string& card : cards)
    std::cout << fmt::format("{}{}: {}\n", card == cards.front() ? "" : "\n", inCapitals(card),
                             summary(lines, card));
}

void microbenchmarkTable() {
  std::vector<Line> lines;
  for (const std::string& card : judgedCards) {
    if (!std::filesystem::exists(microbenchmarksOf(card))) continue;
    const auto figures = readFigures(microbenchmarksOf(card));
    const Card values = findCard(card);
    for (const Microbenchmark& each : microbenchmarks())
      if (figures.contains(each.figure))
        addTo(lines, each.figure, "", card, {each.simulate(values), figures.at(each.figure)});
  }
  print(lines, "");
}

// Little's curve: GB/s by loads of 4 bytes in flight and resident warps, measured and estimated.
void littleTables(const std::string& card) {
  const auto figures = readFigures(microbenchmarksOf(card));
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
void treeTable() {
  std::vector<Line> lines;
  for (const std::string& card : judgedCards) {
    const Card values = findCard(card);
    for (const TreeStep& tree : treeSteps()) {
      const std::string block = tree.threads == 512 ? "" : fmt::format("_block_{}", tree.threads);
      const std::string record = fmt::format("{}/{}_ladder{}.json", WORKSHOP_RESULTS, card, block);
      if (!std::filesystem::exists(record)) continue;
      const Report report = readResult(record);
      const StepResult* step = report.find(tree.name);
      if (!step || !step->isTimed()) continue;
      addTo(lines, tree.name, fmt::format("2^28, {}", tree.threads), card,
            {estimateLaunch(treeLaunch(tree.kernel, tree.threads), values).ms,
             spreadOf(step->kernelMs).median});
    }
  }
  print(lines, " ms");
}

// A group of the records, beside what was measured.
std::vector<Line> recordLines(const std::string& group) {
  std::vector<Line> lines;
  for (const std::string& card : judgedCards) {
    if (!std::filesystem::exists(estimatesOf(card))) continue;
    for (const RecordedEstimate& e : readEstimates(estimatesOf(card)))
      if (const double measured = e.group == group ? measuredMs(e, WORKSHOP_RESULTS) : 0;
          measured > 0)
        addTo(lines, e.step, e.where, card, {e.ms, measured});
  }
  return lines;
}

void recordTable(const std::string& group) { print(recordLines(group), " ms"); }

// All groups, a line each; and the five things that are wrong by most on each card.
void summaryTable() {
  const std::vector<std::pair<std::string, std::string>> groups = {
      {"the ladder, 2^28 elements", "ladder 2^28"},
      {"the ladder, 2^24 elements", "ladder 2^24"},
      {"the ladder, 2^20 elements", "ladder 2^20"},
      {"lesson 08's segments", "segments"},
      {"lesson 09", "lesson 09"},
      {"kernels that nobody tuned for", "public"}};
  Table table;
  table.add({"what", "card", "within 15 %", "mean error", "largest error"});
  table.alignLeft(1);
  for (const auto& [name, group] : groups) {
    const std::vector<Line> lines = recordLines(group);
    for (const std::string& card : judgedCards) {
      double sum = 0, largest = 0;
      unsigned all = 0, within = 0;
      for (const Line& line : lines)
        if (const auto pair = line.cards.find(card); pair != line.cards.end()) {
          const double error = std::abs(pair->second.error());
          sum += error, largest = std::max(largest, error);
          ++all, within += error <= 0.15;
        }
      if (all > 0)
        table.add({name, inCapitals(card), fmt::format("{} of {}", within, all),
                   fmt::format("{:.1f} %", 100 * sum / all),
                   fmt::format("{:.1f} %", 100 * largest)});
    }
  }
  std::cout << table.markdown();
}

// The largest reason to wait, by the profiler and by the model, and the instructions. Where the
// profiler has two that are as good as the same, either of them is said to be nearly the largest.
void waitsTable(const std::string& card) {
  const std::string stalls = fmt::format("{}/{}_stalls.csv", WORKSHOP_RESULTS, card);
  if (!std::filesystem::exists(stalls) || !std::filesystem::exists(estimatesOf(card))) return;
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
  unsigned all = 0, same = 0, nearlySame = 0, near = 0;
  for (const RecordedEstimate& e : readEstimates(estimatesOf(card))) {
    if (e.group != "profile") continue;
    const Profiled theirs = profiled(e.kernel, stalls);
    const Reasons ours = reasonsOf(e);
    if (theirs.reasons.empty() || ours.empty()) continue;
    const bool isSame = ours[0].first == theirs.reasons[0].first;
    const bool isNearly = !isSame && isNearlyLargest(theirs.reasons, ours[0].first);
    const double instructions = e.instructions / theirs.instructions;
    ++all, same += isSame, nearlySame += isNearly, near += std::abs(instructions - 1) <= 0.2;
    table.add({e.step, shares(theirs.reasons), shares(ours),
               isSame     ? "the same"
               : isNearly ? "nearly the same"
                          : "another",
               fmt::format("{:.2f}", instructions)});
  }
  const std::string more = nearlySame == 0
                               ? ""
                               : fmt::format(
                                     ", and for {} more one that is less than 2 % smaller in the "
                                     "profiler's own record",
                                     nearlySame);
  std::cout << table.markdown()
            << fmt::format(
                   "\nThe largest reason is the same for {} of {} kernels{}; instructions are "
                   "within 20 % for {}.\n",
                   same, all, more, near);
}

// Estimated milliseconds of a group's steps, and without some of their costs.
void withoutTable(const std::string& group) {
  Table::Row head = {"step"};
  std::vector<Table::Row> rows;
  std::string last;
  for (const RecordedEstimate& e : readEstimates(estimatesOf("h200"))) {
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
        {"summary", summaryTable},
        {"waits", [] { waitsTable("h200"); }},
        {"waits-h100", [] { waitsTable("h100"); }},
        {"without-ladder", [] { withoutTable("ladder"); }},
        {"without-segments", [] { withoutTable("segments"); }},
        {"little", [] { littleTables("h200"); }},
        {"trees", treeTable},
        {"microbenchmarks", microbenchmarkTable}};
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
