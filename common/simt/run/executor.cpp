#include "simt/run/executor.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include "simt/run/grid_barrier.h"
#include "simt/run/kernel_call.h"
#include "simt/run/parallel_blocks.h"
#include "simt/run/run_block.h"
#include "simt/run/searched_share.h"
#include "simt/run/waiting_blocks.h"

extern constinit thread_local uint3 blockIdx;

namespace simt {

static void runOne(uint64_t number) {
  ::blockIdx = indexOf(number, runningBlock().kernelCall().grid);
  runningBlock().index = ::blockIdx;
  runBlock();
}

// What launches have shown for those to come.
namespace {
struct Experience {
  std::mutex mutex;
  std::set<const void*> dependent;  // kernels whose blocks depend on each other: they will again
  double worth = 0.06;              // seconds that a launch must have left for workers to gain
};
Experience& experience() {
  static auto& all = *new Experience;
  return all;
}
}  // namespace

// Whether the rest of a launch is worth worker processes, after some of its blocks. What counts is
// the process's own time on its core: where others use the cores, too, workers gain little. The
// first blocks say nothing, for memory and paths are new to them.
class WorkersAsked {
 public:
  bool worthIt(size_t done, size_t all) {
    if (secondsSince(begin_) < shortest) return false;  // cheaper to ask than what follows
    const double own = ownSeconds(), since = own - seenOwn_;
    if (since < shortest) return false;
    const bool mayBeNew = std::exchange(first_, false) && since < longest;
    expected_ = since * (double(all - done) / double(done - seenDone_));
    seenDone_ = done;
    seenOwn_ = own;
    workersBegin_ = Clock::now();
    const std::scoped_lock lock(experience().mutex);
    return !mayBeNew && expected_ > experience().worth;
  }
  // The rest has run in workers. Where they were no faster, only longer launches get any from now
  // on.
  void learn() const {
    const std::scoped_lock lock(experience().mutex);
    if (expected_ > 0 && secondsSince(workersBegin_) > expected_)
      experience().worth = std::min(2 * expected_, mostWorth);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  static double ownSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }
  static constexpr double shortest = 0.01, longest = 0.1, mostWorth = 1;  // seconds

  const Clock::time_point begin_ = Clock::now();
  Clock::time_point workersBegin_;
  bool first_ = true;
  double expected_ = 0;  // seconds that the rest takes without workers
  size_t seenDone_ = 0;  // blocks, when it was asked last
  double seenOwn_ = ownSeconds();
};

static bool isDependent(const void* kernel) {
  const std::scoped_lock lock(experience().mutex);
  return experience().dependent.contains(kernel);
}
static void noteDependent(const void* kernel) {
  const std::scoped_lock lock(experience().mutex);
  experience().dependent.insert(kernel);
}

// One after the other, where none waits for another.
static void runInOrder(Launch& launch, std::span<uint64_t> order) {
  Block& block = takeBlock(launch);
  runOnThisOsThread(&block);
  WorkersAsked workers;
  SearchedShare share(launch, order, runOne);
  const size_t all = launch.order.size();
  const bool asked = launch.settings.workers > 1;
  bool mayShare = workersFor(all) > 1 && (asked || !isDependent(launch.call.kernel));
  runInTurns(launch, block, runOne, [&](uint64_t done) {
    launch.noteEnded(done);
    if (share.restRan(done)) return true;
    if (!mayShare || done + 1 >= all || share.isPart(done)) return false;
    if (!asked && (done == 0 || !workers.worthIt(done, all))) return false;
    if (!launch.beginAlone()) return false;
    mayShare = false;
    const auto rest = launch.order.subspan(done);
    const double before = secondsOfWorkers();
    const bool ran = runInWorkers(launch, rest, workersFor(rest.size()), runOne,
                                  [&](uint64_t count) { launch.noteEnded(done + count); });
    launch.endAlone();
    share.addOthers(secondsOfWorkers() - before);
    if (ran)
      workers.learn();
    else
      noteDependent(launch.call.kernel);
    return ran;
  });
  if (!launch.isOver) launch.noteEnded(all);
  launch.release(block);
}

void callWithWords(void* kernelOfWords) {
  const auto& [kernel, words] = *static_cast<const KernelOfWords*>(kernelOfWords);
  using Kernel = void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
  reinterpret_cast<Kernel>(kernel)(words[0], words[1], words[2], words[3], words[4], words[5]);
}

static void runLaunch(const KernelCall& call) {
  const Settings& asked = settings();
  if (asked.instead)
    return asked.instead(
        {call.kernel, call.call, call.arguments, call.grid, call.block, call.cooperative});
  Launch launch(call, runBlock);
  const bool sampled = asked.sample && !call.runsTogether();
  std::vector<uint64_t> order =
      sampled ? asked.sample(call.blocks()) : blockOrder(call.blocks(), asked.schedule);
  launch.order = order;
  if (call.runsTogether()) {
    const SearchedShare share(launch, order, runOne);  // all of them
    runSideBySide(launch);
  } else {
    runInOrder(launch, order);
  }
  launch.settle();
}

void run(dim3 grid, dim3 block, const void* kernel, void (*call)(void*), void* arguments,
         size_t argumentBytes) {
  runLaunch({kernel, call, arguments, argumentBytes, grid, block, false});
}

void runCooperatively(dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                      void* arguments, size_t argumentBytes) {
  runLaunch({kernel, call, arguments, argumentBytes, grid, block, true});
}

void runInClusters(dim3 cluster, dim3 grid, dim3 block, const void* kernel, void (*call)(void*),
                   void* arguments, size_t argumentBytes) {
  runLaunch({kernel, call, arguments, argumentBytes, grid, block, false, cluster});
}

}  // namespace simt
