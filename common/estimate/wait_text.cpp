#include "estimate/wait_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace estimate {

const char* waitName(Wait wait) {
  static constexpr const char* names[waitCount] = {
      "issuing",         "issue slots", "arithmetic",    "memory",         "L2",       "L1",
      "load/store pipe", "constants",   "shared memory", "bank conflicts", "shuffles", "atomics",
      "fences",          "barriers",    "no work left",  "start and tail"};
  return names[size_t(wait)];
}

double SourceShare::total() const { return std::accumulate(shares.begin(), shares.end(), 0.0); }

std::vector<std::pair<std::string, double>> namedWaits(const WaitTimes& times) {
  std::vector<std::pair<std::string, double>> shares;
  for (size_t i = 0; i < times.size(); ++i)
    if (times[i] > 0) shares.emplace_back(waitName(Wait(i)), times[i]);
  std::ranges::stable_sort(shares, std::greater(), &std::pair<std::string, double>::second);
  return shares;
}

std::string largestWaits(const WaitTimes& times, size_t most) {
  std::string text;
  for (const auto& [name, share] : namedWaits(times)) {
    if (most-- == 0 || share < 0.005) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name, 100 * share);
  }
  return text;
}

Table sourceTable(const std::vector<SourceShare>& sources, const std::string& waits,
                  size_t mostWaits) {
  constexpr size_t most = 8;
  Table table;
  table.add({"line", "share", waits});
  table.alignLeft(2);
  for (size_t i = 0; i < std::min(most, sources.size()); ++i) {
    const SourceShare& line = sources[i];
    table.add({line.source.empty() ? "(none)" : line.source,
               fmt::format("{:.0f} %", 100 * line.total()), largestWaits(line.shares, mostWaits)});
  }
  return table;
}

}  // namespace estimate
