#include <algorithm>

#include "explore/explore.h"

namespace {

constexpr uint64_t firstBlocks = 2;
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
  recording.fault = {};
  simt::takeCounters();
  const Tracing tracing(recording.trace, std::move(blocks));
  try {
    launch();
  } catch (const simt::Fault& fault) {
    recording.fault = fault;
  }
  recording.counted = simt::takeCounters();
}

// The number of the block that has a fault, where it was not recorded.
std::optional<uint64_t> missingBlock(const Recording& recording) {
  if (!recording.fault || recording.trace.blocks.empty()) return {};
  const dim3 grid = recording.trace.blocks[0].grid, at = recording.fault->block;
  const bool known =
      std::ranges::any_of(recording.trace.blocks, [&](const simt::TracedBlock& block) {
        return block.index.x == at.x && block.index.y == at.y && block.index.z == at.z;
      });
  if (known) return {};
  return at.x + uint64_t(grid.x) * (at.y + uint64_t(grid.y) * at.z);
}

// A fault ends the launch in the middle of things, some lanes ahead of others. Without the search
// for faults most kernels go on, and then their steps up to the fault are known.
void recordPastTheFault(Recording& recording, const std::function<void()>& launch) {
  Recording whole{.title = recording.title, .about = recording.about, .trace = {}};
  simt::Settings settings = simt::settings();
  settings.findFaults = false;
  const simt::WithSettings scope(settings);
  const dim3 grid = recording.trace.blocks.empty() ? dim3(1) : recording.trace.blocks[0].grid;
  const dim3 at = recording.fault->block;
  record(whole, {at.x + uint64_t(grid.x) * (at.y + uint64_t(grid.y) * at.z)}, launch);
  if (whole.fault) return;
  recording.trace = std::move(whole.trace);
}

}  // namespace

Recording recordLaunch(const std::string& title, const std::string& about,
                       const std::function<void()>& launch) {
  Recording recording{.title = title, .about = about, .trace = {}};
  std::vector<uint64_t> blocks;
  for (uint64_t block = 0; block < firstBlocks; ++block) blocks.push_back(block);
  record(recording, blocks, launch);
  if (const auto block = missingBlock(recording)) record(recording, {*block}, launch);
  if (recording.fault) recordPastTheFault(recording, launch);
  return recording;
}
