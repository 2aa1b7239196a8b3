#include "simt/executor.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <set>
#include <span>
#include <utility>

#include "simt/access.h"
#include "simt/block.h"
#include "simt/block_races.h"
#include "simt/faults.h"
#include "simt/parallel_blocks.h"
#include "simt/traps.h"
#include "simt/waiting_blocks.h"

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

static void runOne(uint64_t number) {
  ::blockIdx = indexOf(number, runningBlock().kernelCall.grid);
  runningBlock().index = ::blockIdx;
  runBlock();
  if (!runningBlock().fault && runningBlock().findFaults) checkAgainstOtherBlocks(true);
}

// When a launch began, in real time and in that of this process on its core.
struct Beginning {
  std::chrono::steady_clock::time_point real = std::chrono::steady_clock::now();
  std::clock_t own = std::clock();
};

// Whether the rest of a launch is worth copies of the process, after some of its blocks. Where
// others use the cores, too, copies gain little: what counts is the process's own time.
static bool worthCopies(const Beginning& begin, size_t done, size_t all) {
  constexpr double shortest = 0.02, worth = 0.06;  // seconds
  const std::chrono::duration<double> real = std::chrono::steady_clock::now() - begin.real;
  if (real.count() < shortest) return false;  // cheaper to ask than what follows
  const double own = double(std::clock() - begin.own) / CLOCKS_PER_SEC;
  return own > shortest && own * (double(all - done) / double(done)) > worth;
}

static void runBlocks(const std::vector<uint64_t>& blocks, const void* kernel) {
  // Kernels whose blocks were seen to depend on each other: they will again.
  static std::set<const void*> dependent;
  const Beginning begin;
  const auto ended = [&](uint64_t count) { blocksEnded.store(count, std::memory_order_relaxed); };
  const bool asked = settings().workers > 1;
  bool mayShare = !runningBlock().events.on() && workersFor(blocks.size()) > 1 &&
                  (asked || !dependent.contains(kernel));
  runInTurns(blocks, runOne, [&](uint64_t done) {
    ended(done);
    if (!mayShare || done + 1 >= blocks.size()) return false;
    if (!asked && (done == 0 || !worthCopies(begin, done, blocks.size()))) return false;
    mayShare = false;
    const auto rest = std::span(blocks).subspan(done);
    if (runInCopies(rest, workersFor(rest.size()), runOne,
                    [&](uint64_t count) { ended(done + count); }))
      return true;
    dependent.insert(kernel);
    return false;
  });
  if (!runningBlock().fault) ended(blocks.size());
}

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
  for (Thread& t : runningBlock().allThreads()) t.index = indexOf(t.rank, block);

  const Schedule schedule = settings().schedule;
  runningBlock().ready.start(schedule);
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  catchTraps();
  beginLaunchAccesses();
  Tracer::beginLaunch();
  blocksEnded = 0;
  blocksOfLaunch = blocks;
  const auto sample = settings().sample;
  runBlocks(sample ? sample(blocks) : blockOrder(blocks, schedule), kernel);
  if (runningBlock().fault) runningBlock().fibers.abandon();
  settleFaults(runningBlock().faults);
}

}  // namespace simt
