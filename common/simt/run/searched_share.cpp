#include "simt/run/searched_share.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <tuple>
#include <utility>

#include "simt/find/block_races.h"
#include "simt/find/clocks.h"
#include "simt/find/settings.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simt/run/parallel_blocks.h"
#include "simt/run/plain_here.h"
#include "simt/run/plain_kernels.h"

namespace simt {
namespace {

constexpr unsigned shapesInFull = 4;  // of a kernel: that have a whole share each
constexpr double firstShare = 0.125;  // of a share: for a kernel that comes when those are used up
constexpr uint64_t fewest = 2;        // blocks that are looked at, next to each other
constexpr int byChance = 2;
constexpr size_t mostChosen = 3 + byChance;
constexpr double mostSecondsHere = 0.1;  // of plain blocks: more are worth worker processes

// A kernel, as it is known: what is launched by its address, or by what calls it.
using KernelKey = std::pair<const void*, void (*)(void*)>;
KernelKey keyOf(const KernelCall& call) { return {call.kernel, call.call}; }

// What launches have shown for those to come.
struct KnownKernel {
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, double> seconds;  // of each shape
  double secondsInAll = 0;
  bool inOrder = false;         // its blocks depend on each other
  const char* never = nullptr;  // why they may not run plain
};
struct KnownKernels {
  std::mutex mutex;
  std::map<KernelKey, KnownKernel> kernels;
  double seconds = 0;  // of all of them
};
KnownKernels& knownKernels() {
  static auto& all = *new KnownKernels;
  return all;
}
auto shapeOf(const KernelCall& call) {
  return std::tuple(call.grid.x, call.grid.y, call.grid.z, call.threads());
}

double ownSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

bool isLimited(const Launch& launch) {
  return launch.settings.searchSeconds < std::numeric_limits<double>::infinity();
}
bool maySample(const Launch& launch) {
  const Settings& s = launch.settings;
  return !s.sample && !s.instead && !launch.traced;
}

}  // namespace

SearchedShare::SearchedShare(Launch& launch, std::span<uint64_t> order, void (*runOne)(uint64_t))
    : launch_(launch), order_(order), runOne_(runOne) {
  if (!isLimited(launch)) return;
  begin_ = last_ = ownSeconds();
  if (!maySample(launch)) return;
  const std::scoped_lock lock(knownKernels().mutex);
  KnownKernel& kernel = knownKernels().kernels[keyOf(launch.call)];
  const double share = launch.settings.searchSeconds;
  if (kernel.never) return;
  phase_ = Phase::first;
  if (kernel.secondsInAll < shapesInFull * share)
    budget_ = std::min(share - kernel.seconds[shapeOf(launch.call)],
                       std::max(sharesInAll * share - knownKernels().seconds,
                                firstShare * share - kernel.secondsInAll));
  usedUp_ = budget_ <= 0;
}

SearchedShare::~SearchedShare() {
  if (!isLimited(launch_)) return;
  const double seconds = ownSeconds() - begin_ + others_ - plain_;
  const std::scoped_lock lock(knownKernels().mutex);
  KnownKernel& kernel = knownKernels().kernels[keyOf(launch_.call)];
  kernel.seconds[shapeOf(launch_.call)] += seconds;
  kernel.secondsInAll += seconds;
  knownKernels().seconds += seconds;
  if (launch_.waits) kernel.never = "has blocks that wait for each other";
  if (!launch_.faults.empty()) kernel.inOrder = true;
  if (!launch_.faults.areRaces()) kernel.never = hasFault;
  if (launch_.call.inClusters()) kernel.never = "runs in clusters";
  if (launch_.call.cooperative) kernel.never = "is a cooperative launch";
  if (kernel.seconds[shapeOf(launch_.call)] > launch_.settings.searchSeconds && maySample(launch_))
    launch_.whyNonePlain = kernel.never;
}

bool SearchedShare::hadEnough(uint64_t ended) {
  const double now = ownSeconds();
  longest_ = std::max(longest_, now - std::exchange(last_, now));
  return ended >= fewest && now - begin_ >= budget_;
}

bool SearchedShare::isPart(uint64_t ended) const {
  if (phase_ == Phase::off || ended == 0) return phase_ != Phase::off;
  return (last_ - begin_) / double(ended) * double(order_.size()) > budget_;
}

// Plain blocks take some fiftieth of what those do that are looked at.
double SearchedShare::plainSeconds(uint64_t blocks) const {
  constexpr double asPlain = 0.02;
  return asPlain * each_ * double(blocks);
}

// The arrays are copied to the workers and back.
bool SearchedShare::isWorthIt(uint64_t ended) const {
  if (here_) return each_ * double(order_.size() - ended) > secondsToRunPlainHere();
  constexpr double toFork = 0.01, perByte = 2e-9;
  const double costs = toFork + perByte * double(bytesOfArrays());
  return each_ * double(order_.size() - ended) > costs;
}

// The last one, the first one's neighbours in the next row and the next plane, and some by chance.
// Of a short launch, as there have been many, the last one alone.
void SearchedShare::choose(uint64_t ended) {
  std::mt19937_64 random(order_.size());
  const dim3 grid = launch_.call.grid;
  chosen_ = {order_.size() - 1};
  if (here_ && usedUp_) return;
  for (const uint64_t neighbour : {uint64_t(grid.x), uint64_t(grid.x) * grid.y})
    if (neighbour >= ended && neighbour < order_.size()) chosen_.push_back(neighbour);
  for (int i = 0; i < byChance; ++i) chosen_.push_back(ended + random() % (order_.size() - ended));
  std::ranges::sort(chosen_);
  chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
}

bool SearchedShare::restRan(uint64_t ended) {
  if (phase_ == Phase::off || ended == 0 || ended >= order_.size()) return false;
  const bool enough = hadEnough(ended);
  // What it does is told, and depends on the order: all of it is to be as it is without plain ones.
  if (launch_.waits || !launch_.faults.areRaces()) phase_ = Phase::off;
  if (phase_ == Phase::first && enough) {
    phase_ = Phase::off;
    each_ = (last_ - begin_) / double(ended);
    const bool isForced = launch_.settings.searchSeconds == 0;
    const uint64_t left = order_.size() - ended;
    here_ = launch_.settings.workers <= 1 && mayRunPlainHere(launch_) &&
            plainSeconds(left) < mostSecondsHere;
    const bool fewDo = isForced || (here_ && usedUp_);
    if (left < (fewDo ? 2 : 2 * mostChosen)) return false;
    if (!isForced && !isWorthIt(ended)) return false;
    choose(ended);
    bool inOrder = mustBeInOrder();
    {
      const std::scoped_lock lock(knownKernels().mutex);
      inOrder =
          inOrder || (here_ && usedUp_) || knownKernels().kernels[keyOf(launch_.call)].inOrder;
    }
    phase_ = inOrder ? Phase::inOrder : Phase::chosen;
    if (!inOrder) {  // they are next
      for (size_t i = 0; i < chosen_.size(); ++i) std::swap(order_[ended + i], order_[chosen_[i]]);
      chosen_ = {ended + chosen_.size()};  // the first that is not
    }
  }
  if (phase_ == Phase::chosen && ended == chosen_[0]) return runApart(ended);
  if (phase_ == Phase::inOrder) return goOnInOrder(ended);
  return false;
}

// All that are left, in any order.
bool SearchedShare::runApart(uint64_t ended) {
  chosen_.clear();
  if (!mustBeInOrder() && runPlainUntil(ended, order_.size(), false)) return true;
  if (phase_ == Phase::off) return false;
  phase_ = Phase::inOrder;
  return goOnInOrder(ended);
}

bool SearchedShare::goOnInOrder(uint64_t ended) {
  const auto next = std::ranges::lower_bound(chosen_, ended);
  const uint64_t end = next == chosen_.end() ? order_.size() : *next;
  if (end == ended || !runPlainUntil(ended, end, true)) return false;
  // Between those that were looked at lies now what may have ordered them, and nobody has seen.
  orderAllBlocks(launch_);
  return end == order_.size();
}

// Whether they have run. Where they cannot, the phase is off; or nothing has happened but that they
// depend on each other.
bool SearchedShare::runPlainUntil(uint64_t begin, uint64_t end, bool inOrder) {
  const std::span<const uint64_t> blocks = order_.subspan(begin, end - begin);
  PlainRun ran = PlainRun::failed;
  constexpr double shortest = 2, times = 4;  // than the longest that was looked at
  constexpr double toStart = 0.01;  // a process more is worth it where it saves more than that
  const double more = plainSeconds(blocks.size()) / toStart;
  const unsigned most = workersFor(blocks.size());
  const char* why = nullptr;
  const PlainBlocks plain{blocks, runOne_, inOrder, std::max(shortest, times * longest_), why};
  const auto ended = [&](uint64_t count) { launch_.noteEnded(begin + count); };
  const double begun = ownSeconds();
  if (launch_.beginAlone()) {
    const PlainKernel kernel(launch_.call);
    ran = here_
              ? runPlainHere(launch_, plain, ended)
              : runPlain(plain,
                         launch_.settings.workers > 1 ? most
                                                      : unsigned(std::min(1 + more, double(most))),
                         ended);
    launch_.endAlone();
  }
  const std::scoped_lock lock(knownKernels().mutex);
  KnownKernel& kernel = knownKernels().kernels[keyOf(launch_.call)];
  last_ = ownSeconds();
  plain_ += last_ - begun;
  if (ran == PlainRun::done) {
    launch_.begun = end;
    launch_.plainBlocks += blocks.size();
    return true;
  }
  if (ran == PlainRun::dependent)
    kernel.inOrder = true;
  else
    kernel.never = why ? why : "could not run plain", phase_ = Phase::off;
  return false;
}

}  // namespace simt
