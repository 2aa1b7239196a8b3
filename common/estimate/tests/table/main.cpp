// Prints what the model is worth, as Markdown: estimated, measured and error, for the
// microbenchmarks, and for every pair of result files that it is given, MEASURED ESTIMATED.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "../microbenchmarks.h"
#include "../tree_kernels.h"
#include "base/errors.h"
#include "base/program_main.h"
#include "base/table.h"
#include "estimate/launch_time.h"
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
            << fmt::format("\n{} of {} within 15 %; mean error {:.1f} %, largest {:.1f} %.\n\n",
                           within, lines.size(), 100 * sum / double(lines.size()), 100 * largest);
}

void microbenchmarkTable(const std::string& card) {
  const auto figures = readFigures(fmt::format("{}/{}_microbenchmarks.csv", WORKSHOP_CARDS, card));
  const Card values = findCard(card);
  std::vector<Line> lines;
  for (const Microbenchmark& each : microbenchmarks())
    if (figures.contains(each.figure))
      lines.push_back({each.figure, "", each.simulate(values), figures.at(each.figure)});
  std::cout << "### Microbenchmarks, simulated\n\n";
  print(lines, "");
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
  std::cout << "### The model alone: lists written by hand, with the profiler's instructions\n\n";
  print(lines, " ms");
}

// The steps of two result files of the same length and block: times of one, estimates of the other.
void addSteps(std::vector<Line>& lines, const std::string& measured, const std::string& estimated) {
  const Report report = readResult(measured);
  readResult(estimated);  // refuses what is no result file
  std::ifstream file(estimated);
  const nlohmann::json other = nlohmann::json::parse(file);
  for (const nlohmann::json& step : other["steps"]) {
    const StepResult* same = report.find(step["name"].get<std::string>());
    if (!step.contains("estimate") || !same || !same->isTimed()) continue;
    lines.push_back(
        {same->name,
         fmt::format("2^{}, {}", std::log2(double(report.elements(*same))), report.blockOf(*same)),
         step["estimate"]["ms"].get<double>(), spreadOf(same->kernelMs).median});
  }
}

}  // namespace

int main(int argc, char** argv) {
  return runProgram("estimate_table", [&] {
    if (argc % 2 == 0) throw Error(exitUsage, "usage: estimate_table [MEASURED ESTIMATED] …");
    std::vector<Line> lines;
    for (int i = 1; i < argc; i += 2) addSteps(lines, argv[i], argv[i + 1]);
    if (!lines.empty()) std::cout << "### Kernels, from the executor's trace\n\n";
    print(lines, " ms");
    treeTable("h200");
    microbenchmarkTable("h200");
    return exitRight;
  });
}
