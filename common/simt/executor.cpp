#include "simt/executor.h"

#include <atomic>
#include <utility>

#include "simt/access.h"
#include "simt/block.h"
#include "simt/block_races.h"
#include "simt/faults.h"
#include "simt/traps.h"

// The kernels see these as const (simt/cuda.h).
uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace simt {

// The one block that runs at a time. It is never destroyed: that would unwind the fibers that wait
// in the middle of a kernel, and run what is left of it when the program ends.
static Block& theBlock() {
  static Block* const block = new Block;
  return *block;
}

static Settings currentSettings;

const Settings& settings() { return currentSettings; }

WithSettings::WithSettings(const Settings& settings)
    : before_(std::exchange(currentSettings, settings)) {}
WithSettings::~WithSettings() { currentSettings = before_; }

Counters takeCounters() { return std::exchange(theBlock().counters, Counters()); }

void addCounters(const Counters& counted) { theBlock().counters += counted; }

void recordEvents(std::vector<ThreadEvent>* events) { theBlock().events.appendTo(events); }

static std::vector<Fault> faultsFound;

std::vector<Fault> takeFaults() { return std::exchange(faultsFound, {}); }

void settleFaults(FaultLog& found) {
  const std::vector<Fault> faults = found.settle();
  faultsFound.insert(faultsFound.end(), faults.begin(), faults.end());
  for (const Fault& fault : faults)
    if (!fault.mild) throw fault;
}

static std::atomic<uint64_t> blocksEnded, blocksOfLaunch;

Position position() { return {blocksEnded, blocksOfLaunch}; }

void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes) {
  const uint64_t threadCount = uint64_t(block.x) * block.y * block.z;
  if (threadCount == 0 || threadCount > maxThreads || block.z > 64)
    throw std::invalid_argument("a block has 1 to 1024 threads, 64 at most in z");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 ||
      grid.z > 65535)
    throw std::invalid_argument("a grid has 1 to 2^31 - 1 blocks in x, 1 to 65535 in y and z");
  if (blockOfThisOsThread && runningBlock().current)
    throw std::invalid_argument("a kernel cannot launch a kernel");

  blockOfThisOsThread = &theBlock();
  forgetRecentRanges();
  runningBlock().findFaults = settings().findFaults;
  runningBlock().kernelCall = {
      kernel, call, arguments, argumentBytes, grid, block, unsigned(threadCount)};
  ::gridDim = {grid.x, grid.y, grid.z};
  ::blockDim = {block.x, block.y, block.z};
  runningBlock().fault.reset();
  runningBlock().fibers.start(runningBlock().threads, unsigned(threadCount));
  for (Thread& t : runningBlock().allThreads())
    t.index = indexOf(t.rank, block);

  const Schedule schedule = settings().schedule;
  runningBlock().ready.start(schedule);
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  catchTraps();
  beginLaunchAccesses();
  Tracer::beginLaunch();
  blocksEnded = 0;
  blocksOfLaunch = blocks;
  const auto sample = settings().sample;
  for (const uint64_t i : sample ? sample(blocks) : blockOrder(blocks, schedule)) {
    const dim3 index(unsigned(i % grid.x), unsigned(i / grid.x % grid.y),
                     unsigned(i / grid.x / grid.y));
    runningBlock().index = index;
    ::blockIdx = {index.x, index.y, index.z};
    runBlock();
    if (runningBlock().fault) {
      runningBlock().fibers.abandon();
      break;
    }
    if (runningBlock().findFaults) checkAgainstOtherBlocks();
    blocksEnded.fetch_add(1, std::memory_order_relaxed);
  }
  settleFaults(runningBlock().faults);
}

}  // namespace simt
