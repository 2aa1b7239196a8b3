#include <algorithm>

#include "explore/explore.h"
#include "simt/run/counting.h"

namespace {

constexpr size_t mostBlocks = 4;  // of those with faults
constexpr size_t mostSteps = 200'000;

// Has every launch recorded as long as it lives.
struct Tracing {
  Tracing(simt::Trace& trace, std::vector<uint64_t> blocks) {
    simt::recordTrace(&trace, {.blocks = std::move(blocks), .maxSteps = mostSteps});
  }
  ~Tracing() { simt::recordTrace(nullptr); }
};

void record(Recording& recording, std::vector<uint64_t> blocks,
            const std::function<void()>& launch) {
  recording.trace = {};
  simt::takeFaults();
  simt::takeCounters();
  const Tracing tracing(recording.trace, std::move(blocks));
  std::vector<simt::Fault> thrown;
  try {
    launch();
  } catch (const simt::Fault& fault) {
    thrown.push_back(fault);
  }
  recording.faults = simt::takeFaults();
  if (!recording.fault())
    recording.faults.insert(recording.faults.end(), thrown.begin(), thrown.end());
  recording.counted = simt::takeCounters();
}

// The numbers of the blocks that have faults, the first that is not mild before all others.
std::vector<uint64_t> blocksOfFaults(const Recording& recording) {
  if (recording.trace.blocks.empty()) return {};
  const dim3 grid = recording.trace.blocks[0].grid;
  std::vector<uint64_t> blocks;
  const auto add = [&](const simt::Fault& fault) {
    const dim3 at = fault.block;
    const uint64_t block = at.x + uint64_t(grid.x) * (at.y + uint64_t(grid.y) * at.z);
    if (blocks.size() < mostBlocks && std::ranges::find(blocks, block) == blocks.end())
      blocks.push_back(block);
  };
  if (recording.fault()) add(*recording.fault());
  for (const simt::Fault& fault : recording.faults) add(fault);
  return blocks;
}

// A fault ends the launch in the middle of things, some lanes ahead of others. Without the search
// for faults most kernels go on, and then their steps up to the fault are known.
void recordPastTheFault(Recording& recording, const std::vector<uint64_t>& blocks,
                        const std::function<void()>& launch) {
  Recording whole{.title = recording.title, .about = recording.about, .trace = {}};
  const simt::WithSettings scope(simt::settingsToCount());
  record(whole, blocks, launch);
  if (!whole.fault()) recording.trace = std::move(whole.trace);
}

}  // namespace

const simt::Fault* Recording::fault() const {
  const auto found = std::ranges::find(faults, false, &simt::Fault::mild);
  return found == faults.end() ? nullptr : &*found;
}

Recording recordLaunch(const std::string& title, const std::string& about,
                       const std::function<void()>& launch) {
  Recording recording{.title = title, .about = about, .trace = {}};
  record(recording, {0, 1}, launch);
  const std::vector<uint64_t> blocks = blocksOfFaults(recording);
  if (std::ranges::any_of(blocks, [](uint64_t block) { return block > 1; }))
    record(recording, blocks, launch);
  if (recording.fault()) recordPastTheFault(recording, blocks, launch);
  return recording;
}
