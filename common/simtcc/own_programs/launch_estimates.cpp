#include "simtcc/own_programs/launch_estimates.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include "base/escape.h"
#include "base/table.h"
#include "estimate/gpu_code/of_executor.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"
#include "simtcc/runtime/configured_launch.h"
#include "simtcc/runtime/runtime.h"

namespace {

constexpr size_t mostKinds = 16, mostRows = 12;  // that are estimated, and printed
constexpr unsigned mostArguments = 4;            // rows that differ in nothing but these
constexpr unsigned mostSeconds = 10;  // for the estimates of a program, beside what it takes

bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

std::string shape(dim3 d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += "×" + std::to_string(d.y);
  if (d.z > 1) text += "×" + std::to_string(d.z);
  return text;
}

bool sameButForArguments(const simt::ObservedLaunch& a, const simt::ObservedLaunch& b) {
  return a.kernel == b.kernel && same(a.grid, b.grid) && same(a.block, b.block) &&
         a.dynamicShared == b.dynamicShared;
}

uint64_t hashOf(const simt::ObservedLaunch& launch) {
  const uint64_t numbers[] = {std::hash<std::string>()(launch.kernel),
                              launch.grid.x,
                              launch.grid.y,
                              launch.grid.z,
                              launch.block.x,
                              launch.block.y,
                              launch.block.z,
                              launch.dynamicShared,
                              launch.arguments};
  return simt::hashOfBytes(0, numbers, sizeof numbers);
}

constexpr char waits[] = "warps wait most for";
constexpr size_t mostWaits = 2;

// What a row shows, as the process that makes it hands it over: a line each, and then the rest.
struct Shown {
  std::string ms, waits, below;
};

std::string handedOver(const simt::ObservedLaunch& launch, const ProgramOptions& options) {
  const estimate::Card card = estimate::findCard(options.card);
  std::string ptx;
  const estimate::Launch listed = listedLaunch(launch, options.ptx ? &ptx : nullptr);
  const estimate::Estimate estimated = estimateLaunch(listed, card);
  std::string below;
  if (options.where)
    below += fmt::format("Where the estimated time of {} goes:\n{}", launch.kernel,
                         sourceTable(estimated.sources, waits, mostWaits).text());
  if (options.ptx)
    below += fmt::format("\nPTX of {}: how often a warp executes what {} made of each line\n{}",
                         launch.kernel, estimate::gpu_code::whoMadeIt(), ptx);
  return fmt::format("{:.4f}\n{}\n{}", estimated.ms,
                     estimate::largestWaits(estimated.shares, mostWaits), below);
}

Shown shownOf(const std::string& text) {
  std::istringstream lines(text);
  Shown shown;
  std::getline(lines, shown.ms);
  std::getline(lines, shown.waits);
  shown.below.assign(std::istreambuf_iterator<char>(lines), {});
  return shown;
}

}  // namespace

estimate::Launch listedLaunch(const simt::ObservedLaunch& launch, std::string* ptx) {
  namespace code = estimate::gpu_code;
  const code::Asked asked = code::askedOf(launch.call, launch.kernel);
  const uint64_t blocks = asked.grid.all();
  try {
    return code::listed(asked, estimate::sampleOf(blocks), code::mostInstructions / 12, ptx);
  } catch (const code::TooLong&) {  // of long blocks, fewer stand for all
    return code::listed(asked, estimate::fewOf(blocks), code::mostInstructions, ptx);
  }
}

unsigned LaunchEstimates::secondsLeft() {
  double used = 0;
  for (const Row& row : rows_) used += row.estimate->seconds();
  const std::chrono::duration<double> ran = std::chrono::steady_clock::now() - began_;
  return unsigned(std::max(1.0, mostSeconds + ran.count() - used));
}

void LaunchEstimates::begin(const simt::ObservedLaunch& launch) {
  unsigned alike = 0;
  for (Row& row : rows_) {
    if (!sameButForArguments(row.launch, launch)) continue;
    ++alike;
    if (row.launch.arguments != launch.arguments) continue;
    ++row.launches;
    history_.push_back(&row);
    return;
  }
  if (rows_.size() == mostKinds || alike == mostArguments) {
    leftOut_.insert(hashOf(launch));
    ++launchesLeftOut_;
    history_.push_back(nullptr);
    return;
  }
  if (!rows_.empty()) rows_.back().estimate->made();  // one at a time
  const auto make = [&] { return handedOver(launch, options_); };
  auto estimate = std::make_unique<MakingApart>(make, secondsLeft());
  rows_.push_back({launch, 1, alike + 1, std::move(estimate)});
  history_.push_back(&rows_.back());
}

std::optional<double> LaunchEstimates::msBetween(uint64_t from, uint64_t to) {
  if (from >= to || to > history_.size()) return {};
  double sum = 0;
  for (uint64_t i = from; i < to; ++i) {
    if (!history_[i]) return {};
    const MadeApart& made = history_[i]->estimate->made();
    if (!made.problem.empty()) return {};
    sum += std::stod(made.text);
  }
  return sum;
}

std::vector<std::pair<EstimatedLaunches, std::string>> LaunchEstimates::sorted() {
  std::vector<std::pair<EstimatedLaunches, std::string>> all;
  for (Row& row : rows_) {
    const MadeApart& made = row.estimate->made();
    const bool isThere = made.problem.empty();
    const Shown shown = isThere ? shownOf(made.text) : Shown();
    all.emplace_back(
        EstimatedLaunches{row.launch.kernel, shape(row.launch.grid), shape(row.launch.block),
                          row.launch.dynamicShared, row.arguments, row.launches,
                          isThere ? std::stod(shown.ms) : std::nan(""),
                          isThere ? shown.waits : made.problem},
        shown.below);
  }
  const auto inAll = [](const auto& each) {
    const double ms = each.first.ms * double(each.first.launches);
    return std::isnan(ms) ? -1 : ms;
  };
  std::ranges::stable_sort(all, std::ranges::greater(), inAll);
  return all;
}

std::vector<EstimatedLaunches> LaunchEstimates::inAll() {
  std::vector<EstimatedLaunches> all;
  for (auto& [its, below] : sorted()) all.push_back(std::move(its));
  return all;
}

void LaunchEstimates::print() {
  if (rows_.empty()) return;
  const bool showShared = std::ranges::any_of(
                 rows_, [](const Row&row) { return row.launch.dynamicShared > 0; }),
             showArguments =
                 std::ranges::any_of(rows_, [](const Row&row) { return row.arguments > 1; });
  Table table;
  Table::Row head = {"kernel", "grid", "block"};
  if (showShared) head.push_back("shared bytes");
  if (showArguments) head.push_back("arguments");
  head.insert(head.end(), {"launches", "estimated ms each", "in all", waits});
  table.alignLeft(head.size() - 1);
  table.add(head);
  size_t shownRows = 0;
  std::string below;
  std::vector<std::string> others;
  std::vector<std::string> problems;
  for (const auto& [its, itsLines] : sorted()) {
    if (std::isnan(its.ms)) {
      const std::string problem =
          its.waits.find(": ") == std::string::npos ? its.kernel + ": " + its.waits : its.waits;
      if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
      continue;
    }
    below += itsLines;
    if (++shownRows > mostRows) {
      others.push_back(its.kernel);
      continue;
    }
    Table::Row cells = {simt::shortName(its.kernel), its.grid, its.block};
    if (showShared) cells.push_back(std::to_string(its.dynamicShared));
    if (showArguments) cells.push_back(std::to_string(its.arguments));
    cells.push_back(std::to_string(its.launches));
    cells.push_back(fmt::format("{:.4f}", its.ms));
    cells.push_back(fmt::format("{:.4f}", its.ms * double(its.launches)));
    cells.push_back(its.waits);
    table.add(cells);
  }
  if (shownRows > 0) {
    std::cerr << fmt::format(
        "\nEstimated on an {} by a timing model, not measured (common/estimate/README.md says how "
        "far off it is), from the code of {}:\n{}",
        estimate::findCard(options_.card).name, estimate::gpu_code::whoMadeIt(), table.text());
    if (!others.empty()) std::cerr << terminalText(simt::andMore(others)) << '\n';
    if (showArguments)
      std::cerr << "Launches with other arguments are numbered in the order in which they came.\n";
  }
  for (const std::string& problem : problems)
    std::cerr << "no estimate of " << terminalText(problem) << '\n';
  if (launchesLeftOut_ > 0)
    std::cerr << fmt::format("Left out: {} launches of {} more {}.\n", launchesLeftOut_,
                             leftOut_.size(), leftOut_.size() == 1 ? "kind" : "kinds");
  std::cerr << below << std::flush;
}
