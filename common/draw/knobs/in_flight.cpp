// How many loads are in flight, and what becomes of the bandwidth.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "draw/knobs/knob_kernels.h"
#include "draw/knobs/knobs.h"
#include "estimate/launch_time.h"
#include "estimate/sampled.h"
#include "estimate/wait_groups.h"

using nlohmann::json;

namespace knobs {
namespace {

constexpr double shownCycles = 2400;
constexpr double cell = 4;  // cycles: what is shorter is not shown
constexpr unsigned shownWarps = 6;

// Each warp's time as pairs: a group of waits, and for how many cells.
json rowsOf(const std::vector<estimate::Interval>& timeline) {
  const size_t nothing = estimate::waitGroups().size() - 1;
  std::vector<std::vector<std::pair<size_t, double>>> rows(shownWarps);
  std::vector<double> ends(shownWarps, 0);
  const auto add = [&](unsigned warp, size_t group, double to) {
    if (to <= ends[warp]) return;
    if (!rows[warp].empty() && rows[warp].back().first == group)
      rows[warp].back().second += to - ends[warp];
    else
      rows[warp].emplace_back(group, to - ends[warp]);
    ends[warp] = to;
  };
  std::vector<estimate::Interval> sorted = timeline;
  std::ranges::stable_sort(sorted, {}, &estimate::Interval::begin);
  for (const estimate::Interval& one : sorted) {
    if (one.warp >= shownWarps || one.begin >= shownCycles) continue;
    add(one.warp, nothing, one.begin);
    add(one.warp, estimate::groupOf(one.wait), std::min(one.end, shownCycles));
  }
  json text = json::array();
  for (const auto& row : rows) {
    json cells = json::array();
    double from = 0;
    for (const auto& [group, cycles] : row) {
      const double rounded = std::round((from + cycles) / cell) - std::round(from / cell);
      from += cycles;
      if (rounded < 1) continue;
      if (!cells.empty() && cells[cells.size() - 2] == group) {
        cells.back() = cells.back().get<double>() + rounded;
        continue;
      }
      cells.push_back(group);
      cells.push_back(rounded);
    }
    if (!cells.empty()) text.push_back(cells);
  }
  return text;
}

json pointOf(const MeasuredCard& of, unsigned warps, unsigned loads, bool rows) {
  const auto multiprocessors = unsigned(of.card.multiprocessors);
  estimate::Sampler sampler(multiprocessors);
  sampler.run([&] { launchReading(multiprocessors, warps, loads); });
  const estimate::Launch launch = sampler.take().at(0);
  const estimate::Estimate e = estimate::estimateLaunch(launch, of.card, {}, rows);
  const double seconds = (e.ms * 1e3 - of.card.launchMicroseconds) * 1e-6;
  json point = {
      {"estimated", std::round(1e-9 * double(bytesRead(multiprocessors, warps, loads)) / seconds)}};
  if (rows) point["rows"] = rowsOf(e.timeline);
  const auto measured =
      of.measured.find(fmt::format("read, {} loads of 4 bytes in flight, {} warps", loads, warps));
  if (measured != of.measured.end()) point["measured"] = std::round(measured->second);
  return point;
}

}  // namespace

json readingPoints(const MeasuredCard& of, const std::vector<unsigned>& loads, bool rows) {
  json points = json::array();
  for (const unsigned l : loads) {
    json row = json::array();
    for (const unsigned warps : residentWarps) row.push_back(pointOf(of, warps, l, rows));
    points.push_back(row);
  }
  return points;
}

json inFlight(const std::vector<MeasuredCard>& cards) {
  json all = json::array(), groups = json::array();
  for (const estimate::WaitGroup& group : estimate::waitGroups())
    groups.push_back({{"kind", group.kind}, {"name", group.name}});
  for (const MeasuredCard& of : cards)
    all.push_back({{"name", of.card.name},
                   {"multiprocessors", of.card.multiprocessors},
                   {"latency", std::round(of.card.memoryLatency / of.card.clockGhz)},
                   {"roof", std::round(of.card.readGbps)},
                   {"points", readingPoints(of, loadsInFlight, true)}});
  return {{"warps", residentWarps}, {"loads", loadsInFlight}, {"cycles", shownCycles},
          {"cell", cell},           {"groups", groups},       {"cards", all}};
}

}  // namespace knobs
