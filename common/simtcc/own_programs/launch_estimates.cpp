#include "simtcc/own_programs/launch_estimates.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include "base/escape.h"
#include "base/table.h"
#include "estimate/gpu_code/of_executor.h"
#include "estimate/gpu_code/program_symbols.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"
#include "simt/memory/arrays.h"
#include "simtcc/runtime/configured_launch.h"
#include "simtcc/runtime/runtime.h"

namespace {

constexpr size_t mostRows = 12;  // that are printed
// Of launches that differ in nothing but their arguments, so many are estimated, and then those
// whose numbers are powers of two: each stands for those that follow it.
constexpr unsigned mostArguments = 4;
// For the estimates of a program, beside what it takes; and where nothing is run but they.
constexpr unsigned mostSeconds = 10, mostSecondsWithoutRun = 60;
// One that takes too long leaves half for the others, but where there is little.
constexpr double secondsOfOne(double left) { return std::max(left / 2, std::min(left, 10.0)); }
// Rows that get a second even then.
constexpr size_t mostAllTheSame = 16;
constexpr char noTime[] =
    "no time was left for it: all estimates of a program take as long as it does, and 10 s, or "
    "with --only-estimate 60 s";

std::string shape(dim3 d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += "×" + std::to_string(d.y);
  if (d.z > 1) text += "×" + std::to_string(d.z);
  return text;
}

// Of the same kernel, grid, block and shared memory.
uint64_t hashOfShape(const simt::ObservedLaunch& launch) {
  const uint64_t numbers[] = {std::hash<std::string>()(launch.kernel),
                              launch.grid.x,
                              launch.grid.y,
                              launch.grid.z,
                              launch.block.x,
                              launch.block.y,
                              launch.block.z,
                              launch.dynamicShared};
  return simt::hashOfBytes(0, numbers, sizeof numbers);
}

constexpr char waits[] = "warps wait most for";
constexpr size_t mostWaits = 2;

// What a row shows, as the process that makes it hands it over: a line each, and then the rest.
struct Shown {
  std::string msOfEvents, ms, waits, below;
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
  const std::string pages = estimated.pagesMs > 0
                                ? fmt::format("pages of managed memory {:.0f} %, of the rest ",
                                              100 * estimated.pagesMs / estimated.profiledMs)
                                : "";
  return fmt::format("{:.5f}\n{:.4f}\n{}\n{}", estimated.ms, estimated.profiledMs,
                     pages + estimate::largestWaits(estimated.shares, mostWaits), below);
}

Shown shownOf(const std::string& text) {
  std::istringstream lines(text);
  Shown shown;
  std::getline(lines, shown.msOfEvents);
  std::getline(lines, shown.ms);
  std::getline(lines, shown.waits);
  shown.below.assign(std::istreambuf_iterator<char>(lines), {});
  return shown;
}

}  // namespace

estimate::Launch listedLaunch(const simt::ObservedLaunch& launch, std::string* ptx) {
  namespace code = estimate::gpu_code;
  code::Asked asked = code::askedOf(launch.call, launch.kernel);
  for (const simt::PagesWithHost& its : launch.withHost)
    for (code::ArrayRange& array : asked.arrays)
      if (array.begin == its.array) array.withHost = {its.written, its.untouched};
  const uint64_t blocks = asked.grid.all();
  const std::vector<uint64_t> few = estimate::fewOf(blocks);
  if (blocks > few.size()) try {
      estimate::Launch listed =
          code::listed(asked, estimate::sampleOf(blocks), code::mostInstructions / 4, ptx);
      estimate::lookAtMore(asked, listed, code::mostInstructions * 3 / 4);
      return listed;
    } catch (const code::TooLong&) {  // of long blocks, fewer stand for all
    }
  return code::listed(asked, few, code::mostInstructions, ptx);
}

double LaunchEstimates::secondsLeft() const {
  double used = 0;
  for (const Row& row : rows_) used += row.estimate ? row.estimate->seconds() : 0;
  const std::chrono::duration<double> ran = std::chrono::steady_clock::now() - began_ - waited_;
  return (options_.run ? mostSeconds : mostSecondsWithoutRun) + ran.count() - used;
}

void LaunchEstimates::begin(const simt::ObservedLaunch& launch) {
  const uint64_t shape = hashOfShape(launch);
  uint64_t likeIt = simt::hashOfBytes(shape, &launch.arguments, sizeof launch.arguments);
  for (const simt::PagesWithHost& its : launch.withHost)
    likeIt = simt::hashOfBytes(likeIt, &its, sizeof its);
  Row*& known = known_[likeIt];
  Shape& alike = shapes_[shape];
  if (!known) {
    const unsigned number = ++alike.arguments;
    if (number <= mostArguments || std::has_single_bit(number)) {
      alike.last = &begun(launch, number);
    } else {
      alike.last->lastArguments = number;
    }
    known = alike.last;
  }
  ++known->launches;
  history_.push_back(known);
}

// That the program stands still meanwhile is not time that it took.
void LaunchEstimates::waitForLast() {
  if (rows_.empty()) return;
  const auto from = std::chrono::steady_clock::now();
  rows_.back().made();
  waited_ += std::chrono::steady_clock::now() - from;
}

// One at a time: waits for the one before.
LaunchEstimates::Row& LaunchEstimates::begun(const simt::ObservedLaunch& launch, unsigned number) {
  waitForLast();
  if (!rows_.empty()) estimate::gpu_code::functionAt(nullptr);  // reads them once for all processes
  const double seconds = secondsLeft();
  std::unique_ptr<MakingApart> estimate;
  if (seconds >= 1 || rows_.size() < mostAllTheSame)
    estimate = std::make_unique<MakingApart>([&] { return handedOver(launch, options_); },
                                             unsigned(std::max(1.0, secondsOfOne(seconds))));
  rows_.push_back({launch, 0, number, number, std::move(estimate)});
  // What this process shares with others changes for them, too, as it goes on.
  if (std::ranges::any_of(simt::allArrays(), &simt::Array::isShared)) waitForLast();
  return rows_.back();
}

const MadeApart& LaunchEstimates::Row::made() {
  static const MadeApart& late = *new MadeApart{"", noTime};  // asked for until the very end
  return estimate ? estimate->made() : late;
}

std::optional<double> LaunchEstimates::msBetween(uint64_t from, uint64_t to) {
  if (from >= to || to > history_.size()) return {};
  double sum = 0;
  for (uint64_t i = from; i < to; ++i) {
    const MadeApart& made = history_[i]->made();
    if (!made.problem.empty()) return {};
    sum += std::stod(made.text);
  }
  return sum;
}

std::vector<std::pair<EstimatedLaunches, std::string>> LaunchEstimates::sorted() {
  std::vector<std::pair<EstimatedLaunches, std::string>> all;
  for (Row& row : rows_) {
    const MadeApart& made = row.made();
    const bool isThere = made.problem.empty();
    const Shown shown = isThere ? shownOf(made.text) : Shown();
    all.emplace_back(
        EstimatedLaunches{row.launch.kernel, shape(row.launch.grid), shape(row.launch.block),
                          row.launch.dynamicShared, row.firstArguments, row.lastArguments,
                          row.launches, isThere ? std::stod(shown.ms) : std::nan(""),
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
                 std::ranges::any_of(rows_, [](const Row&row) { return row.lastArguments > 1; });
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
      const bool isNamed = its.waits.find(": ") != std::string::npos && its.waits != noTime;
      const std::string problem = isNamed ? its.waits : its.kernel + ": " + its.waits;
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
    if (showArguments) cells.push_back(argumentsOf(its));
    cells.push_back(std::to_string(its.launches));
    cells.push_back(fmt::format("{:.4f}", its.ms));
    cells.push_back(fmt::format("{:.4f}", its.ms * double(its.launches)));
    cells.push_back(its.waits);
    table.add(cells);
  }
  if (shownRows > 0) {
    std::cerr << fmt::format(
        "\nEstimated on an {} by a timing model, not measured (common/estimate/README.md says how "
        "far off it is), each launch with cold caches as a profiler times it, from the code of "
        "{}:\n{}",
        estimate::findCard(options_.card).name, estimate::gpu_code::whoMadeIt(), table.text());
    if (!others.empty()) std::cerr << terminalText(simt::andMore(others)) << '\n';
    if (showArguments)
      std::cerr << "Launches with other arguments are numbered in the order in which they came; "
                   "where there are many, the first of some stands for all of them.\n";
  }
  for (const std::string& problem : problems)
    std::cerr << "no estimate of " << terminalText(problem) << '\n';
  std::cerr << below << std::flush;
}
