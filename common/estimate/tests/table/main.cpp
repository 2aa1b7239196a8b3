// Prints what the model is worth, of the microbenchmarks and of what stands in
// common/results/NAME_estimated.csv: every figure as CSV (errors, waits), the sums of these as
// Markdown (summary, agreement), and tables of lessons.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>

#include "../microbenchmarks.h"
#include "base/errors.h"
#include "base/escape.h"
#include "base/program_main.h"
#include "base/table.h"
#include "estimate/card.h"
#include "record.h"
#include "sets.h"

namespace {

using namespace estimate;

// In the order in which the tables show them. The model was fitted on the first.
const std::vector<std::string> judgedCards = {"h200", "h100"};

std::string estimatesOf(const std::string& card) {
  return fmt::format("{}/{}_estimated.csv", WORKSHOP_RESULTS, card);
}

// … of the kernels that a profiler was asked about, by nvcc's code.
std::string profiledEstimatesOf(const std::string& card) {
  return fmt::format("{}/{}_profiled_estimated_nvcc.csv", WORKSHOP_RESULTS, card);
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

// Texts are csvField's; numbers are as they are.
void printCsv(const std::vector<std::string>& fields) {
  for (size_t i = 0; i < fields.size(); ++i) std::cout << (i > 0 ? "," : "") << fields[i];
  std::cout << '\n';
}

std::vector<Line> microbenchmarkLines() {
  std::vector<Line> lines;
  for (const std::string& card : judgedCards) {
    if (!std::filesystem::exists(microbenchmarksOf(card))) continue;
    const auto figures = readFigures(microbenchmarksOf(card));
    const Card values = findCard(card);
    for (const Microbenchmark& each : microbenchmarks())
      if (figures.contains(each.figure))
        addTo(lines, each.figure, "", card, {each.simulate(values), figures.at(each.figure)});
  }
  return lines;
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

// What is judged: as tables name it, and its lines. Recorded groups are in ms.
struct Judged {
  std::string name, unit;
  std::function<std::vector<Line>()> lines;
};

std::vector<Judged> judged() {
  const auto record = [](const std::string& name, const std::string& group) {
    return Judged{name, "ms", [=] { return recordLines(group); }};
  };
  return {{"microbenchmarks", "", microbenchmarkLines},
          record("the ladder, 2^28 elements", "ladder 2^28"),
          record("the ladder, 2^24 elements", "ladder 2^24"),
          record("the ladder, 2^20 elements", "ladder 2^20"),
          record("lesson 08's segments", "segments"),
          record("lesson 09", "lesson 09"),
          record("kernels of other kinds", "public")};
}

// Every figure.
void errorsTable() {
  std::vector<std::string> head = {"set", "what", "where", "unit"};
  for (const std::string& card : judgedCards)
    for (const char* column : {" measured", " estimated", " error %"})
      head.push_back(inCapitals(card) + column);
  printCsv(head);
  for (const Judged& each : judged())
    for (const Line& line : each.lines()) {
      std::vector<std::string> fields = {csvField(each.name), csvField(line.name),
                                         csvField(line.where), each.unit};
      for (const std::string& card : judgedCards) {
        const auto pair = line.cards.find(card);
        if (pair == line.cards.end()) {
          fields.insert(fields.end(), {"", "", ""});
          continue;
        }
        fields.push_back(fmt::format("{:.4g}", pair->second.measured));
        fields.push_back(fmt::format("{:.4g}", pair->second.estimated));
        fields.push_back(fmt::format("{:+.1f}", 100 * pair->second.error()));
      }
      printCsv(fields);
    }
}

// "64 of 64; 4.4 %; 14.7 %" of a card: within 15 %, the mean and the largest error.
std::string judgement(const std::vector<Line>& lines, const std::string& card) {
  double sum = 0, largest = 0;
  unsigned all = 0, within = 0;
  for (const Line& line : lines)
    if (const auto pair = line.cards.find(card); pair != line.cards.end()) {
      const double error = std::abs(pair->second.error());
      sum += error, largest = std::max(largest, error);
      ++all, within += error <= 0.15;
    }
  if (all == 0) return "";
  return fmt::format("{} of {}; {:.1f} %; {:.1f} %", within, all, 100 * sum / all, 100 * largest);
}

// A line for each of them.
void summaryTable() {
  Table table;
  Table::Row head = {"within 15 %; mean error; largest"};
  for (const std::string& card : judgedCards) head.push_back(inCapitals(card));
  table.add(std::move(head));
  for (const Judged& each : judged()) {
    const std::vector<Line> lines = each.lines();
    Table::Row row = {each.name};
    for (const std::string& card : judgedCards) row.push_back(judgement(lines, card));
    table.add(std::move(row));
  }
  std::cout << table.markdown();
}

// Of a kernel, the reasons to wait and the instructions by the profiler and by the model. What the
// profiler saw was nvcc's code.
struct Waits {
  std::string card, code, kernel;
  Reasons profiler, model;
  double instructions;  // the model's for each of the profiler's
  bool isSame() const { return model[0].first == profiler[0].first; }
  // Where the profiler has two reasons that are as good as the same, and the model one of them.
  bool isNearlySame() const { return !isSame() && isNearlyLargest(profiler, model[0].first); }
};

std::vector<Waits> allWaits() {
  std::vector<Waits> all;
  const auto add = [&](const std::string& card, const std::string& code, const std::string& path) {
    const std::string stalls = fmt::format("{}/{}_stalls.csv", WORKSHOP_RESULTS, card);
    if (!std::filesystem::exists(stalls) || !std::filesystem::exists(path)) return;
    for (const RecordedEstimate& e : readEstimates(path)) {
      if (e.group != "profile") continue;
      const Profiled theirs = profiled(e.kernel, stalls);
      const Reasons ours = reasonsOf(e);
      if (!theirs.reasons.empty() && !ours.empty())
        all.push_back(
            {card, code, e.step, theirs.reasons, ours, e.instructions / theirs.instructions});
    }
  };
  for (const std::string& card : judgedCards) {
    add(card, "nvcc's", profiledEstimatesOf(card));
    add(card, "clang++'s", estimatesOf(card));
  }
  return all;
}

void waitsTable() {
  const auto shares = [](const Reasons& reasons) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(2, reasons.size()); ++i)
      text += fmt::format("{}{} {:.0f} %", i > 0 ? "; " : "", reasons[i].first,
                          100 * reasons[i].second);
    return text;
  };
  printCsv({"card", "code", "kernel", "profiler", "model", "the largest",
            "instructions: model / profiler"});
  for (const Waits& w : allWaits())
    printCsv({inCapitals(w.card), w.code, csvField(w.kernel), csvField(shares(w.profiler)),
              csvField(shares(w.model)),
              w.isSame()         ? "the same"
              : w.isNearlySame() ? "nearly the same"
                                 : "another",
              fmt::format("{:.2f}", w.instructions)});
}

void agreementOfReasons() {
  struct Agreement {
    unsigned kernels = 0, same = 0, near = 0;
  };
  std::map<std::pair<std::string, std::string>, Agreement> all;
  for (const Waits& w : allWaits()) {
    Agreement& a = all[{w.card, w.code}];
    ++a.kernels, a.same += w.isSame(), a.near += std::abs(w.instructions - 1) <= 0.2;
  }
  for (const std::string& card : judgedCards) {
    const Agreement nvcc = all[{card, "nvcc's"}], clang = all[{card, "clang++'s"}];
    if (nvcc.kernels > 0)
      std::cout << fmt::format(
          "- {}: of {} kernels {} wait most for the same by nvcc's code, {} by "
          "clang++'s; {} and {} have its instructions within 20 %\n",
          inCapitals(card), nvcc.kernels, nvcc.same, clang.same, nvcc.near, clang.near);
  }
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
        {"errors", errorsTable},
        {"waits", waitsTable},
        {"summary", summaryTable},
        {"sets", setsTable},
        {"kinds", kindsTable},
        {"agreement", agreementOfReasons},
        {"without-ladder", [] { withoutTable("ladder"); }},
        {"without-segments", [] { withoutTable("segments"); }},
        {"little", [] { littleTables("h200"); }}};
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
