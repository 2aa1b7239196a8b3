#include "simtcc/own_programs/launch_estimates.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <utility>

#include "base/errors.h"
#include "base/table.h"
#include "base/unicode.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"
#include "simtcc/own_programs/made_apart.h"
#include "simtcc/runtime/configured_launch.h"

namespace {

constexpr size_t mostRows = 16;
constexpr unsigned mostArguments = 4;  // rows that differ in nothing but these

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

}  // namespace

void LaunchEstimates::begin(const simt::ObservedLaunch& launch) {
  unsigned alike = 0;
  for (Row& row : rows_) {
    if (!sameButForArguments(row.launch, launch)) continue;
    ++alike;
    if (row.launch.arguments != launch.arguments) continue;
    ++row.launches;
    return;
  }
  if (rows_.size() == mostRows || alike == mostArguments) {
    leftOut_.insert(hashOf(launch));
    ++launchesLeftOut_;
    return;
  }
  rows_.push_back({launch, 1, alike + 1});
  feed_.beginLaunches();
  // The blocks of a cooperative launch run at the same time: they are taken when all have ended.
  std::function<void()> takeBlock;
  if (!launch.cooperative) takeBlock = [this] { take(); };
  const uint64_t blocks = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  simt::recordTrace(
      &trace_,
      {.blocks = estimate::sampleOf(blocks), .maxSteps = size_t(1) << 20, .blockEnded = takeBlock});
  tracing_ = true;
}

void LaunchEstimates::take() {
  rows_.back().cutOff = rows_.back().cutOff || trace_.cutOff;
  feed_.take(trace_);
}

void LaunchEstimates::end() {
  if (!std::exchange(tracing_, false)) return;
  simt::recordTrace(nullptr);
  if (!trace_.steps.empty()) take();
}

std::string LaunchEstimates::tables(const ProgramOptions& options) {
  const estimate::Card card = estimate::findCard(options.card);
  const std::vector<estimate::Launch> launches = feed_.launches();
  if (launches.size() != rows_.size()) return "";  // some launch ended before its first block did
  const bool showShared = std::ranges::any_of(
                 rows_, [](const Row&row) { return row.launch.dynamicShared > 0; }),
             showArguments =
                 std::ranges::any_of(rows_, [](const Row&row) { return row.arguments > 1; });
  Table table;
  Table::Row head = {"kernel", "grid", "block"};
  if (showShared) head.push_back("shared bytes");
  if (showArguments) head.push_back("arguments");
  head.insert(head.end(), {"launches", "estimated ms each", waits});
  table.alignLeft(head.size() - 1);
  table.add(head);
  std::vector<estimate::Estimate> estimates;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const auto& [launch, count, arguments, cutOff] = rows_[i];
    estimates.push_back(cutOff ? estimate::Estimate{} : estimateLaunch(launches[i], card));
    Table::Row row = {cutToColumns(launch.kernel, 40), shape(launch.grid), shape(launch.block)};
    if (showShared) row.push_back(std::to_string(launch.dynamicShared));
    if (showArguments) row.push_back(std::to_string(arguments));
    row.push_back(std::to_string(count));
    row.push_back(cutOff ? "–" : fmt::format("{:.4f}", estimates[i].ms));
    row.push_back(cutOff ? "too long for an estimate"
                         : estimate::largestWaits(estimates[i].shares, mostWaits));
    table.add(row);
  }
  std::string text = fmt::format(
      "\nEstimated on an {} by a timing model, not measured (common/estimate/README.md says "
      "how far off it is):\n{}{}",
      card.name, table.text(), remarks());
  for (size_t i = 0; options.where && i < rows_.size(); ++i)
    if (!rows_[i].cutOff)
      text += fmt::format("Where the estimated time of {} goes:\n{}", rows_[i].launch.kernel,
                          sourceTable(estimates[i].sources, waits, mostWaits).text());
  return text;
}

std::string LaunchEstimates::remarks() const {
  std::string text;
  if (std::ranges::any_of(rows_, [](const Row& row) { return row.arguments > 1; }))
    text += "Launches with other arguments are numbered in the order in which they came.\n";
  if (std::ranges::any_of(rows_, &Row::cutOff))
    text += "–: a block did more than the million steps that are recorded of it.\n";
  if (launchesLeftOut_ > 0)
    text += fmt::format("Left out: {} launches of {} more {}.\n", launchesLeftOut_, leftOut_.size(),
                        leftOut_.size() == 1 ? "kind" : "kinds");
  return text;
}

void LaunchEstimates::print(const ProgramOptions& options) {
  if (rows_.empty()) return;
  const MadeApart made = makeApart([&] { return tables(options); });
  if (made.problem.empty())
    std::cerr << made.text << std::flush;
  else
    std::cerr << "no estimate: " << made.problem << '\n';
}
