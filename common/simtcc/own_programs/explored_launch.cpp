#include "simtcc/own_programs/explored_launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "estimate/explored.h"
#include "estimate/sampled.h"
#include "simtcc/own_programs/made_apart.h"

namespace {

constexpr size_t mostExploredSteps = 200'000;

}  // namespace

void ExploredLaunch::begin(const std::string& kernel, dim3 grid, dim3 block, bool cooperative) {
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  recording_ = {.title = kernel, .about = "the program's first launch of it", .trace = {}};
  grid_ = grid;
  task_ = fmt::format("this launch, {} blocks of {} threads", blocks,
                      uint64_t(block.x) * block.y * block.z);
  shown_ = {options_.exploreFrom, options_.exploreFrom + 1};
  if (options_.estimate) sampled_ = estimate::sampleOf(blocks);
  std::vector<uint64_t> traced = shown_;
  traced.insert(traced.end(), sampled_.begin(), sampled_.end());
  feed_.beginLaunches();
  // The blocks of a cooperative launch run at the same time: they are taken when all have ended.
  std::function<void()> blockEnded;
  if (!cooperative) blockEnded = [this] { take(); };
  simt::recordTrace(&trace_, {.blocks = std::move(traced),
                              .maxSteps = size_t(1) << 20,
                              .blockEnded = std::move(blockEnded)});
}

void ExploredLaunch::end(const simt::Counters& counted, const std::vector<simt::Fault>& faults) {
  simt::recordTrace(nullptr);
  take();
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

// What is in the trace, and empties it.
void ExploredLaunch::take() {
  keepShown();
  const bool isSampled = std::ranges::all_of(trace_.blocks, [&](const simt::TracedBlock& block) {
    return std::ranges::binary_search(sampled_, simt::numberOf(block.index, block.grid));
  });
  if (isSampled && !trace_.steps.empty()) feed_.take(trace_);
  trace_.blocks.clear();
  trace_.steps.clear();
  trace_.words.clear();
}

void ExploredLaunch::keepShown() {
  simt::Trace& page = recording_.trace;
  std::vector<uint32_t> places(trace_.blocks.size(), UINT32_MAX);
  for (size_t b = 0; b < places.size(); ++b) {
    if (std::ranges::find(shown_, simt::numberOf(trace_.blocks[b].index, trace_.blocks[b].grid)) ==
        shown_.end())
      continue;
    places[b] = uint32_t(page.blocks.size());
    page.blocks.push_back(trace_.blocks[b]);
    page.arrays = trace_.arrays;
    page.cutOff = page.cutOff || trace_.cutOff;
  }
  for (size_t i = 0; i < trace_.steps.size(); ++i) {
    simt::TraceStep step = trace_.steps[i];
    if (places[step.block] == UINT32_MAX) continue;
    page.cutOff = page.cutOff || page.steps.size() >= mostExploredSteps;
    if (page.cutOff && page.steps.size() >= mostExploredSteps) return;
    const size_t end =
        i + 1 < trace_.steps.size() ? trace_.steps[i + 1].words : trace_.words.size();
    const auto words = trace_.words.begin();
    const size_t first = page.words.size();
    page.words.insert(page.words.end(), words + std::ptrdiff_t(step.words),
                      words + std::ptrdiff_t(end));
    step.words = first;
    step.block = places[step.block];
    page.steps.push_back(step);
  }
}

std::string ExploredLaunch::page() {
  std::string page;
  if (options_.estimate && !recording_.fault())
    page = makeApart([&] { return pageWithEstimate(); }).text;
  return page.empty() ? explorePage({recording_}) : page;
}

std::string ExploredLaunch::pageWithEstimate() {
  const estimate::Card card = estimate::findCard(options_.card);
  const std::vector<estimate::Launch> launches = feed_.launches();
  if (launches.size() == 1) {
    estimate::Estimate estimated = estimateLaunch(launches[0], card, {}, true);
    const estimate::WaitTimes shares = estimated.shares;
    const std::vector<estimate::SourceShare> sources = estimated.sources;
    recording_.estimate =
        explored(task_, shares, sources,
                 timelineOf(launches[0], std::move(estimated), card, estimate::exploredCycles));
  }
  return explorePage({recording_});
}
