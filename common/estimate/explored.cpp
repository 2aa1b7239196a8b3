#include "estimate/explored.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "estimate/wait_groups.h"
#include "estimate/wait_text.h"

namespace estimate {

namespace {

EstimatedTimeline exploredTimeline(const WaitTimes& shares, const Timeline& timeline) {
  EstimatedTimeline page{.clockGhz = timeline.clockGhz,
                         .cycles = timeline.cycles,
                         .goesOn = timeline.goesOn,
                         .rowsEach = timeline.warpsPerBlock,
                         .residentBlocks = timeline.residentBlocks,
                         .sources = timeline.sources};
  const auto sums = inGroups(shares);
  for (size_t g = 0; g < sums.size(); ++g)
    page.kinds.push_back({waitGroups()[g].kind, waitGroups()[g].name, sums[g]});
  for (const Interval& one : timeline.intervals)
    if (one.begin < timeline.cycles)
      page.segments.push_back({one.warp, one.block, one.begin, std::min(one.end, timeline.cycles),
                               uint32_t(groupOf(one.wait)), one.source});
  return page;
}

}  // namespace

PageEstimate explored(const std::string& task, const WaitTimes& shares,
                      const std::vector<SourceShare>& sources, const Timeline& timeline) {
  PageEstimate page{.about =
                        fmt::format("estimated on an {}, not measured: {}", timeline.card, task)};
  constexpr size_t mostWaits = 3;
  std::map<std::string, WaitTimes> ofLines;  // several launches may have lines in common
  for (const SourceShare& one : sources) {
    WaitTimes& times = ofLines[one.source];
    for (size_t i = 0; i < times.size(); ++i) times[i] += one.shares[i];
  }
  for (const auto& [source, times] : ofLines)
    page.lines.push_back(
        {source, SourceShare{source, times}.total(), largestWaits(times, mostWaits)});
  if (!timeline.intervals.empty()) page.timeline = exploredTimeline(shares, timeline);
  return page;
}

}  // namespace estimate
