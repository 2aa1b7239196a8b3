#include "simtcc/own_programs/explored_launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/escape.h"
#include "estimate/explored.h"
#include "estimate/launch_time.h"
#include "simtcc/own_programs/launch_estimates.h"

using nlohmann::json;

namespace {

constexpr size_t mostExploredSteps = 200'000;
constexpr unsigned secondsForEstimate = 20;

uint64_t countOf(dim3 extent) { return uint64_t(extent.x) * extent.y * extent.z; }

// From one process to the other.
std::string written(const PageEstimate& page) {
  const EstimatedTimeline& t = page.timeline;
  json lines = json::array(), kinds = json::array(), segments = json::array();
  for (const auto& one : page.lines) lines.push_back({one.source, one.share, one.waits});
  for (const auto& one : t.kinds) kinds.push_back({one.kind, one.name, one.share});
  for (const auto& one : t.segments)
    segments.push_back({one.row, one.block, one.begin, one.end, one.kind, one.source});
  return json{page.about,       lines, t.clockGhz, t.cycles, t.goesOn, t.rowsEach,
              t.residentBlocks, kinds, t.sources,  segments}
      .dump();
}

PageEstimate read(const std::string& text) {
  const json all = json::parse(text);
  PageEstimate page{.about = all[0]};
  for (const json& one : all[1]) page.lines.push_back({one[0], one[1], one[2]});
  page.timeline = {.clockGhz = all[2],
                   .cycles = all[3],
                   .goesOn = all[4],
                   .rowsEach = all[5],
                   .residentBlocks = all[6],
                   .sources = all[8]};
  for (const json& one : all[7]) page.timeline.kinds.push_back({one[0], one[1], one[2]});
  for (const json& one : all[9])
    page.timeline.segments.push_back({one[0], one[1], one[2], one[3], one[4], one[5]});
  return page;
}

std::string estimated(const simt::ObservedLaunch& launch, const std::string& cardName) {
  const estimate::Card card = estimate::findCard(cardName);
  const estimate::Launch listed = listedLaunch(launch);
  estimate::Estimate whole = estimateLaunch(listed, card, {}, true);
  const estimate::WaitTimes shares = whole.shares;
  const std::vector<estimate::SourceShare> sources = whole.sources;
  return written(explored(fmt::format("this launch, {} blocks of {} threads", countOf(launch.grid),
                                      countOf(launch.block)),
                          shares, sources,
                          timelineOf(listed, std::move(whole), card, estimate::exploredCycles)));
}

}  // namespace

void ExploredLaunch::begin(const simt::ObservedLaunch& launch) {
  recording_ = {.title = launch.kernel, .about = "the program's first launch of it", .trace = {}};
  grid_ = launch.grid;
  shown_ = {options_.exploreFrom, options_.exploreFrom + 1};
  if (options_.estimate)
    estimate_ = std::make_unique<MakingApart>([&] { return estimated(launch, options_.card); },
                                              secondsForEstimate);
  simt::recordTrace(&recording_.trace, {.blocks = shown_, .maxSteps = mostExploredSteps});
}

void ExploredLaunch::end(const simt::Counters& counted, const std::vector<simt::Fault>& faults) {
  simt::recordTrace(nullptr);
  recording_.counted = counted;
  recording_.faults = faults;
  for (const simt::Fault& fault : faults)
    if (const uint64_t number = simt::numberOf(fault.block, grid_);
        std::ranges::find(shown_, number) == shown_.end()) {
      recording_.about += fmt::format("; --explore-block {} shows the block of {}", number,
                                      fault.mild ? "a mild fault" : "a fault");
      break;
    }
}

std::string ExploredLaunch::page() {
  if (estimate_ && !recording_.fault()) {
    const MadeApart& made = estimate_->made();
    if (made.problem.empty())
      recording_.estimate = read(made.text);
    else
      std::cerr << "no estimate of " << terminalText(made.problem) << '\n';
  }
  return explorePage({recording_});
}
