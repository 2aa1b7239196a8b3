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

namespace {

constexpr size_t mostRows = 16;

bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

std::string shape(dim3 d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += "×" + std::to_string(d.y);
  if (d.z > 1) text += "×" + std::to_string(d.z);
  return text;
}

constexpr char waits[] = "warps wait most for";
constexpr size_t mostWaits = 2;

}  // namespace

void LaunchEstimates::begin(const std::string& kernel, dim3 grid, dim3 block, bool cooperative) {
  const auto row = std::ranges::find_if(rows_, [&](const Row& r) {
    return r.kernel == kernel && same(r.grid, grid) && same(r.block, block);
  });
  if (row != rows_.end()) {
    ++row->launches;
    return;
  }
  left_ = left_ || rows_.size() == mostRows;
  if (rows_.size() == mostRows) return;
  rows_.push_back({kernel, grid, block, 1});
  feed_.beginLaunches();
  // The blocks of a cooperative launch run at the same time: they are taken when all have ended.
  std::function<void()> takeBlock;
  if (!cooperative) takeBlock = [this] { feed_.take(trace_); };
  simt::recordTrace(&trace_, {.blocks = estimate::sampleOf(uint64_t(grid.x) * grid.y * grid.z),
                              .maxSteps = size_t(1) << 20,
                              .blockEnded = takeBlock});
  tracing_ = true;
}

void LaunchEstimates::end() {
  if (!std::exchange(tracing_, false)) return;
  simt::recordTrace(nullptr);
  if (!trace_.steps.empty()) feed_.take(trace_);
}

std::string LaunchEstimates::tables(const ProgramOptions& options) {
  const estimate::Card card = estimate::findCard(options.card);
  const std::vector<estimate::Launch> launches = feed_.launches();
  if (launches.size() != rows_.size()) return "";  // some launch ended before its first block did
  Table table;
  table.add({"kernel", "grid", "block", "launches", "estimated ms each", waits});
  table.alignLeft(5);
  std::vector<estimate::Estimate> estimates;
  for (size_t i = 0; i < rows_.size(); ++i) {
    estimates.push_back(estimateLaunch(launches[i], card));
    table.add({cutToColumns(rows_[i].kernel, 40), shape(rows_[i].grid), shape(rows_[i].block),
               std::to_string(rows_[i].launches), fmt::format("{:.4f}", estimates[i].ms),
               estimate::largestWaits(estimates[i].shares, mostWaits)});
  }
  std::string text = fmt::format(
      "\nEstimated on an {} by a timing model, not measured (common/estimate/README.md says "
      "how far off it is):\n{}",
      card.name, table.text());
  if (left_) text += "The program has more launches of other kinds.\n";
  if (feed_.cutOff())
    text += "Blocks did more than is recorded of one: some estimates are too small.\n";
  if (options.where)
    for (size_t i = 0; i < rows_.size(); ++i)
      text += fmt::format("Where the estimated time of {} goes:\n{}", rows_[i].kernel,
                          sourceTable(estimates[i].sources, waits, mostWaits).text());
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
