#include "estimate/timeline.h"

#include <algorithm>
#include <map>

namespace estimate {

namespace {

// When each of the blocks ended that are in a timeline, in order.
std::vector<double> endsOf(const std::vector<Interval>& intervals) {
  std::map<uint32_t, double> ofBlocks;
  for (const Interval& interval : intervals)
    ofBlocks[interval.block] = std::max(ofBlocks[interval.block], interval.end);
  std::vector<double> ends;
  for (const auto& [block, end] : ofBlocks) ends.push_back(end);
  std::ranges::sort(ends);
  return ends;
}

}  // namespace

Timeline timelineOf(const Launch& launch, Estimate&& estimated, const Card& card, double most) {
  Timeline timeline{.card = card.name, .clockGhz = card.clockGhz};
  timeline.warpsPerBlock = (launch.threads + 31) / 32;
  timeline.residentBlocks = estimated.residentBlocks;
  timeline.intervals = std::move(estimated.timeline);
  timeline.sources = launch.sources;
  const std::vector<double> ends = endsOf(timeline.intervals);
  if (ends.empty()) return timeline;
  const size_t shown = std::min<size_t>(ends.size(), 2 * timeline.residentBlocks);
  timeline.cycles = std::min(ends.at(shown - 1), most);
  timeline.goesOn =
      double(shown) * card.multiprocessors < double(launch.blocks) || timeline.cycles < ends.back();
  return timeline;
}

}  // namespace estimate
