#include "simt/run/executor.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <span>
#include <utility>

#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/image/symbols.h"
#include "simt/run/block.h"
#include "simt/run/kernel_call.h"
#include "simt/run/launch.h"
#include "simt/run/left_out_blocks.h"
#include "simt/run/parallel_blocks.h"
#include "simt/run/run_block.h"
#include "simt/run/waiting_blocks.h"

extern uint3 blockIdx;

namespace simt {

// The one block that runs at a time. It is never destroyed: that would unwind the fibers that wait
// in the middle of a kernel, and run what is left of it when the program ends.
static Block& theBlock() {
  static Block* const block = new Block;
  return *block;
}

Counters takeCounters() { return std::exchange(theBlock().counters, Counters()); }

void addCounters(const Counters& counted) { theBlock().counters += counted; }

static std::vector<Fault> faultsFound;

std::vector<Fault> takeFaults() { return std::exchange(faultsFound, {}); }

void settleFaults(FaultLog& found) {
  const std::vector<Fault> faults = found.settle();
  faultsFound.insert(faultsFound.end(), faults.begin(), faults.end());
  for (const Fault& fault : faults)
    if (!fault.mild) throw fault;
}

static void runOne(uint64_t number) {
  if (settings().sample) countLeftOutBefore(number);
  ::blockIdx = indexOf(number, runningBlock().kernelCall.grid);
  runningBlock().index = ::blockIdx;
  runBlock();
  if (!runningBlock().fault && runningBlock().findFaults) checkAgainstOtherBlocks(true);
}

// Whether the rest of a launch is worth copies of the process, after some of its blocks. What
// counts is the process's own time on its core: where others use the cores, too, copies gain
// little. The first blocks say nothing, for memory and paths are new to them.
class CopiesAsked {
 public:
  bool worthIt(size_t done, size_t all) {
    if (secondsSince(begin_) < shortest) return false;  // cheaper to ask than what follows
    const double own = ownSeconds(), since = own - seenOwn_;
    if (since < shortest) return false;
    const bool mayBeNew = std::exchange(first_, false) && since < longest;
    expected_ = since * (double(all - done) / double(done - seenDone_));
    seenDone_ = done;
    seenOwn_ = own;
    copiesBegin_ = Clock::now();
    return !mayBeNew && expected_ > worth();
  }
  // The rest has run in copies. Where they were no faster, only longer launches get any from now
  // on.
  void learn() const {
    if (expected_ > 0 && secondsSince(copiesBegin_) > expected_)
      worth() = std::min(2 * expected_, mostWorth);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  static double ownSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }
  static double& worth() {
    static double seconds = 0.06;
    return seconds;
  }
  static constexpr double shortest = 0.01, longest = 0.1, mostWorth = 1;  // seconds

  const Clock::time_point begin_ = Clock::now();
  Clock::time_point copiesBegin_;
  bool first_ = true;
  double expected_ = 0;  // seconds that the rest takes without copies
  size_t seenDone_ = 0;  // blocks, when it was asked last
  double seenOwn_ = ownSeconds();
};

static void runBlocks(const std::vector<uint64_t>& blocks, const void* kernel) {
  // Kernels whose blocks were seen to depend on each other: they will again.
  static std::set<const void*> dependent;
  CopiesAsked copies;
  const bool asked = settings().workers > 1;
  bool mayShare = workersFor(blocks.size()) > 1 && (asked || !dependent.contains(kernel));
  runInTurns(blocks, runOne, [&](uint64_t done) {
    noteEnded(done);
    if (!mayShare || done + 1 >= blocks.size()) return false;
    if (!asked && (done == 0 || !copies.worthIt(done, blocks.size()))) return false;
    mayShare = false;
    const auto rest = std::span(blocks).subspan(done);
    if (runInCopies(rest, workersFor(rest.size()), runOne,
                    [&](uint64_t count) { noteEnded(done + count); })) {
      copies.learn();
      return true;
    }
    dependent.insert(kernel);
    return false;
  });
  if (!runningBlock().fault) noteEnded(blocks.size());
}

void callWithWords(void* kernelOfWords) {
  const auto& [kernel, words] = *static_cast<const KernelOfWords*>(kernelOfWords);
  using Kernel = void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
  reinterpret_cast<Kernel>(kernel)(words[0], words[1], words[2], words[3], words[4], words[5]);
}

void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes) {
  const KernelCall launched = kernelCall(grid, block, kernel, call, arguments, argumentBytes);
  if (settings().instead) return settings().instead({kernel, call, arguments, grid, block, false});
  const LaunchScope scope(launched);
  blockOfThisOsThread = &theBlock();
  prepare(theBlock(), launched);
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  const auto sample = settings().sample;
  runBlocks(sample ? sample(blocks) : blockOrder(blocks, settings().schedule), kernel);
  if (theBlock().fault) theBlock().fibers.abandon();
  settleFaults(theBlock().faults);
}

}  // namespace simt
