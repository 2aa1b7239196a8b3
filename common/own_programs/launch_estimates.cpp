#include "own_programs/launch_estimates.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <utility>

#include "base/errors.h"
#include "base/table.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_text.h"

namespace {

constexpr size_t mostRows = 16;
constexpr unsigned secondsForTable = 20;

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

void LaunchEstimates::printTable(const ProgramOptions& options) {
  const estimate::Card card = estimate::findCard(options.card);
  const std::vector<estimate::Launch> launches = feed_.launches();
  if (launches.size() != rows_.size()) return;  // some launch ended before its first block did
  Table table;
  table.add({"kernel", "grid", "block", "launches", "estimated ms each", waits});
  table.alignLeft(5);
  std::vector<estimate::Estimate> estimates;
  for (size_t i = 0; i < rows_.size(); ++i) {
    estimates.push_back(estimateLaunch(launches[i], card));
    table.add({rows_[i].kernel.substr(0, 40), shape(rows_[i].grid), shape(rows_[i].block),
               std::to_string(rows_[i].launches), fmt::format("{:.4f}", estimates[i].ms),
               estimate::largestWaits(estimates[i].shares, mostWaits)});
  }
  std::cerr << "\nEstimated on an " << card.name
            << " by a timing model, not measured (common/estimate/README.md says how far off it "
               "is):\n"
            << table.text();
  if (left_) std::cerr << "The program has more launches of other kinds.\n";
  if (feed_.cutOff())
    std::cerr << "Blocks did more than is recorded of one: some estimates are too small.\n";
  if (options.where)
    for (size_t i = 0; i < rows_.size(); ++i)
      std::cerr << "Where the estimated time of " << rows_[i].kernel << " goes:\n"
                << sourceTable(estimates[i].sources, waits, mostWaits).text();
}

void LaunchEstimates::print(const ProgramOptions& options) {
  if (rows_.empty()) return;
  std::cerr.flush();
  const pid_t child = fork();
  if (child == 0) {
    alarm(secondsForTable);
    try {
      printTable(options);
    } catch (const std::exception& error) {
      std::cerr << "no estimate: " << error.what() << '\n';
    }
    std::cerr.flush();
    _exit(0);
  }
  int status = 0;
  if (child > 0) waitpid(child, &status, 0);
  if (child < 0 || !WIFEXITED(status))
    std::cerr << "no estimate: "
              << (child > 0 && WTERMSIG(status) == SIGALRM ? "it took too long\n" : "it failed\n");
}
