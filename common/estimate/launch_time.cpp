#include "estimate/launch_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/errors.h"
#include "base/escape.h"
#include "estimate/atomic_units.h"
#include "estimate/found_in_caches.h"
#include "estimate/long_loops.h"
#include "estimate/memory_path.h"
#include "estimate/typical_blocks.h"

namespace estimate {

namespace {

constexpr double registerGranule = 256;  // registers come in such pieces per warp
constexpr size_t generations = 16;       // of resident blocks, in a simulation of a large grid
constexpr double mostOperations = 3e6;   // of all blocks of a simulation
// What events say of an empty kernel is so much more than what the profiler says: 2.69 and 1.57 µs
// on an H200, 3.17 and 2.11 on an H100.
constexpr double microsecondsOfEvents = 1.09;
// Managed memory comes in pages when it is touched. On an H200 100 to 280 µs went by for one, 0.25
// to 39 ms for 1 to 256 MiB.
constexpr double managedPageBytes = 64 << 10;

double msOfManaged(const Launch& launch, const Card& card) {
  double microseconds = 0;
  for (size_t a = 1; a < std::min(launch.arrays.size(), launch.withHost.size()); ++a) {
    const WithHost& its = launch.withHost[a];
    if (its.written + its.untouched == 0) continue;
    if (microseconds == 0) microseconds = card.managedFirstMicroseconds;
    microseconds += std::ceil(double(launch.arrays[a]) / managedPageBytes) *
                    (its.written * card.managedWrittenMicroseconds +
                     its.untouched * card.managedUntouchedMicroseconds);
  }
  return 1e-3 * microseconds;
}

constexpr double sectorsOfPiece = 8;

// Cycles of a block in the long run: from the first generation's ends to the last start.
double slope(const Run& run, size_t resident) {
  const std::vector<double>& ends = run.ends;
  if (ends.size() < 2 * resident + 2) return ends.empty() ? 0 : ends.back() / double(ends.size());
  const size_t first = std::max(resident, ends.size() / 4), last = ends.size() - 1 - resident / 2;
  return (ends[last] - ends[first]) / double(last - first);
}

// more's times of warps, and as much again of what more has over less, factor times.
void addMore(WaitTimes& times, const WaitTimes& less, double factor) {
  for (size_t i = 0; i < waitCount; ++i)
    times[i] = std::max(0.0, times[i] + factor * (times[i] - less[i]));
}

class LaunchTime {
 public:
  LaunchTime(const Launch& launch, const Card& card, const WhatIf& whatIf, bool timeline)
      : launch_(launch),
        card_(card),
        typical_(typicalBlocks(launch)),
        last_(&launch.sampled.back()) {
    for (const Block& block : launch.longest) longest_.push_back(&block);
    setup_.residentBlocks = residentBlocks(launch, card);
    busy_ = std::max(1.0, std::min(card.multiprocessors, double(launch.blocks)));
    const double most = std::ceil(double(launch.blocks) / busy_);
    setup_.allAtOnce = most <= setup_.residentBlocks;
    if (setup_.allAtOnce) startTogether();
    ComesOnce once(launch, typical_, card, busy_ * double(setup_.residentBlocks));
    const double blocksAtOnce = std::min(double(setup_.residentBlocks), most);
    setup_.warpsOfBlock = warpsOf(launch);
    setup_.residentWarps = blocksAtOnce * setup_.warpsOfBlock;
    InL1 inL1(launch, typical_, card, blocksAtOnce, double(launch.blocks) / busy_);
    setup_.l1Lines = inL1.linesOfAll();
    changed_.reserve(typical_.size() + 1 + 2 * longest_.size());
    const auto change = [&](const Block*& block) {
      const bool differs = inL1.changes(*block);
      if (!differs && !once.changesAnything()) return;
      changed_.push_back(differs ? inL1.applied(*block) : *block);
      if (once.changesAnything()) changed_.back() = once.applied(std::move(changed_.back()));
      block = &changed_.back();
    };
    forEachBlock(change);
    for (const Block*& block : longest_) block = &changed_.emplace_back(once.behindOthers(*block));
    setup_.activeMultiprocessors = busy_;
    // Where all blocks are resident at once, the multiprocessor that is looked at has as many as
    // any: those with fewer leave it the more of the memory.
    if (setup_.allAtOnce) setup_.activeMultiprocessors = double(launch.blocks) / most;
    setup_.whatIf = whatIf;
    setup_.constantLines = launch.constantLines.empty() ? nullptr : &launch.constantLines;
    setup_.timeline = timeline;
    const double written = writtenBytes(*typical_.back()) * double(launch.blocks);
    setup_.writesReachMemory = written > card.l2Bytes / 2;
    setup_.atomicUnits = unitsBeside(launch.mostUpdated, launch.atomicPieces, card);
    setup_.unitsOfAll = unitsOf(launch.sectorsOfAll / sectorsOfPiece, card);
  }

  Estimate estimate();

 private:
  Run run(size_t blocks, size_t from = 0, size_t step = 1) const {
    return runShortened(sequence(launch_, typical_, last_, blocks, from, step, busy_),
                        launch_.sources.size(), card_, setup_);
  }
  void forEachBlock(auto&& change) {
    for (const Block*& block : typical_) change(block);
    change(last_);
    for (const Block*& block : longest_) change(block);
  }
  void startTogether();
  bool areTypicalUneven() const;
  Run slowest(size_t blocks) const;
  size_t affordable(size_t blocks) const;
  double profiled(double ms) const;
  double besideOthers(const Block& block, double alone, size_t simulated) const;
  Run endOf(const Block& block, double cycles, size_t simulated) const;

  const Launch& launch_;
  const Card& card_;
  std::vector<const Block*> typical_;
  const Block* last_;                     // of those that were looked at
  std::vector<const Block*> longest_;     // that may end last
  std::vector<Block> started_, changed_;  // of them, those that are not as they were traced
  double busy_ = 1;                       // multiprocessors that have blocks
  Setup setup_;
};

void LaunchTime::startTogether() {
  const BroughtInStep start(launch_);
  if (!start.changesAnything()) return;
  started_.reserve(typical_.size() + 1 + longest_.size());
  forEachBlock([&](const Block*& block) { block = &started_.emplace_back(start.applied(*block)); });
}

// How many blocks are simulated: all of a small grid's, some generations of a large one's.
size_t LaunchTime::affordable(size_t blocks) const {
  const size_t resident = setup_.residentBlocks;
  const double each = std::max(1.0, operationsOf(*typical_.back()));
  const size_t most =
      std::max(2 * resident, std::min(generations * resident, size_t(mostOperations / each)));
  return std::min(blocks, most / resident * resident);
}

bool LaunchTime::areTypicalUneven() const {
  if (areUneven(launch_)) return true;
  const auto less = [](const Block* a, const Block* b) {
    return instructionsOf(*a) < instructionsOf(*b);
  };
  const auto [least, most] = std::ranges::minmax_element(typical_, less);
  return instructionsOf(**least) < 0.9 * instructionsOf(**most);
}

// A launch has ended when its slowest multiprocessor has: where blocks are uneven and each has but
// some, of several that have other blocks. They are dealt in turn: those of one multiprocessor are
// from all over the grid.
Run LaunchTime::slowest(size_t blocks) const {
  const size_t multiprocessors = std::max<size_t>(1, typical_.size() / blocks);
  Run longest;
  double instructions = 0;
  for (size_t m = 0; m < multiprocessors; ++m) {
    Run one = run(blocks, m, multiprocessors);
    instructions += one.instructions;
    if (m == 0 || one.cycles > longest.cycles) longest = std::move(one);
  }
  longest.instructions = instructions / double(multiprocessors);
  return longest;
}

// Of 64 MiB that a launch writes an H100 with an L2 of 50 MiB has 44 to 49 MiB in memory at its
// end.
constexpr double staysInL2 = 0.35;

// What touches no memory does not fetch its arguments either.
double LaunchTime::profiled(double ms) const {
  double moved = 0, written = 0;
  for (const Block* block : typical_)
    for (const Warp& warp : block->warps)
      for (size_t i = 0; i < warp.operations.size(); ++i) {
        const Operation& o = warp.operations[i];
        const double its = 32 * o.memorySectors * warp.timesOf(i) / double(typical_.size()) *
                           double(launch_.blocks);
        moved += its;
        if (o.kind == Operation::Kind::store) written += its;
      }
  const double noArguments =
      launch_.arrays.size() > 1 ? 0 : card_.memoryLatency / card_.clockGhz * 1e-3;
  // Caches hold nothing that has to make room: what is written last is still in L2 at the end.
  const double stays = setup_.writesReachMemory ? std::min(written, staysInL2 * card_.l2Bytes) : 0;
  const double msOfMemory = moved / card_.mixedGbps * 1e-6;
  const double msOfWork =
      ms - 1e-3 * (card_.launchMicroseconds + card_.memoryLatency / card_.clockGhz * 1e-3);
  // It went through L2, though.
  const double read = moved - written;
  const double msOfL2 =
      (fillInL2 * read + wholeInL2(read, written) * written) / card_.l2Gbps * 1e-6;
  const double saved =
      std::min(std::max(0.0, msOfWork - msOfL2),
               stays / card_.mixedGbps * 1e-6 * std::pow(std::min(1.0, msOfMemory / msOfWork), 3));
  return ms - saved - 1e-3 * (microsecondsOfEvents + noArguments);
}

// How long a block takes that always has others beside it, of which this many are simulated: it may
// go on alone when they have ended.
double LaunchTime::besideOthers(const Block& block, double alone, size_t simulated) const {
  std::vector<const Block*> all = sequence(launch_, typical_, last_, simulated, 0, 1, busy_);
  all.insert(all.begin(), &block);
  const Run run = runShortened(all, launch_.sources.size(), card_, setup_);
  const double others = run.ends[run.ends.size() - 2];
  if (run.endOfFirst < run.cycles) return run.endOfFirst;
  constexpr double least = 0.01;  // that it does meanwhile
  return others / std::max(least, 1 - (run.cycles - others) / alone);
}

// The block by itself, and until when it takes, where all together take that many cycles. It begins
// when as many before it have ended, has others beside it until all have, and then goes on alone.
Run LaunchTime::endOf(const Block& block, double cycles, size_t simulated) const {
  cycles -= card_.memoryLatency;
  Setup setup = setup_;
  setup.activeMultiprocessors = 1;
  Run its = runShortened({&block}, launch_.sources.size(), card_, setup);
  const double atOnce = busy_ * setup_.residentBlocks, alone = its.cycles;
  const double begin =
      cycles * std::max(0.0, double(block.number) - atOnce) / double(launch_.blocks);
  const bool isOneOfThem = launch_.sampled.size() == launch_.blocks;  // whose cycles have its
  const double beside =
      isOneOfThem ? alone : std::max(alone, besideOthers(block, alone, simulated));
  its.cycles =
      card_.memoryLatency +
      (begin + beside < cycles ? begin + beside : cycles + alone * (1 - (cycles - begin) / beside));
  return its;
}

Estimate LaunchTime::estimate() {
  const double all = double(launch_.blocks) / busy_;
  size_t whole = size_t(std::ceil(all)), simulated = affordable(whole);
  const auto runAll = [&] { return areTypicalUneven() ? slowest(simulated) : run(simulated); };
  Run full = simulated == whole ? runAll() : run(simulated);
  if (simulated == whole && whole > setup_.residentBlocks && whole < 2 * setup_.residentBlocks)
    if (const size_t most =
            mostOfOne(full.ends, setup_.residentBlocks, size_t(busy_), launch_.blocks);
        most > whole) {
      whole = simulated = most;
      setup_.activeMultiprocessors = double(launch_.blocks) / double(most);
      full = runAll();
    }
  Estimate result;
  result.residentBlocks = setup_.residentBlocks;
  result.cyclesPerBlock = slope(full, setup_.residentBlocks);
  // The first instructions come from memory, before anything else can begin.
  double cycles = card_.memoryLatency + full.cycles, factor = 0;
  result.instructions = full.instructions;
  if (simulated < whole) {
    cycles += (all - double(simulated)) * result.cyclesPerBlock;
    const size_t fewer = simulated / 2;
    const Run half = run(fewer);
    factor = (all - double(simulated)) / double(simulated - fewer);
    result.instructions += factor * (full.instructions - half.instructions);
    addMore(full.warpCycles, half.warpCycles, factor);
    for (size_t i = 0; i < full.lines.size(); ++i) addMore(full.lines[i], half.lines[i], factor);
  }
  // The multiprocessor that was looked at has as many blocks as any.
  result.instructions *= simulated < whole ? busy_ : double(launch_.blocks) / double(whole);
  // Where all blocks are resident at once the slowest decide, whatever the others do.
  if (!setup_.allAtOnce) cycles *= launch_.workOfAll;
  if (launch_.blocks > launch_.sampled.size()) result.instructions *= launch_.workOfAll;
  const double ofOthers = cycles;
  for (const Block* block : longest_)
    if (Run its = endOf(*block, ofOthers, simulated); its.cycles > cycles) {
      cycles = its.cycles;
      full = std::move(its);
    }
  result.pagesMs = msOfManaged(launch_, card_);
  result.ms = cycles / card_.clockGhz * 1e-6 + card_.launchMicroseconds * 1e-3 + result.pagesMs;
  result.profiledMs = profiled(result.ms);
  const double time = std::accumulate(full.warpCycles.begin(), full.warpCycles.end(), 0.0);
  for (size_t i = 0; i < waitCount; ++i)
    result.shares[i] = time > 0 ? full.warpCycles[i] / time : 0;
  for (size_t i = 0; i < full.lines.size() && i < launch_.sources.size(); ++i) {
    SourceShare line{launch_.sources[i], full.lines[i]};
    for (double& share : line.shares) share /= std::max(time, 1.0);
    if (line.total() > 0) result.sources.push_back(std::move(line));
  }
  std::stable_sort(result.sources.begin(), result.sources.end(),
                   [](const auto& a, const auto& b) { return a.total() > b.total(); });
  result.timeline = std::move(full.timeline);
  return result;
}

}  // namespace

unsigned residentBlocks(const Launch& launch, const Card& card) {
  const auto refuse = [&](const std::string& why) {
    throw Error(exitUsage, fmt::format("{}: a block {} than a multiprocessor of the {} has",
                                       terminalText(launch.kernel), why, card.name));
  };
  const double warps = warpsOf(launch);
  const double registers =
      warps * std::ceil(launch.registers * warpWidth / registerGranule) * registerGranule;
  const double shared = launch.sharedBytes + card.reservedSharedBytes;
  if (warps > card.warps) refuse("has more warps");
  if (registers > card.registers) refuse("needs more registers");
  if (shared > card.sharedBytes) refuse("needs more shared memory");
  double most = std::min(card.blocks, std::floor(card.warps / warps));
  if (registers > 0) most = std::min(most, std::floor(card.registers / registers));
  if (shared > 0) most = std::min(most, std::floor(card.sharedBytes / shared));
  return unsigned(most);
}

Estimate estimateLaunch(const Launch& launch, const Card& card, const WhatIf& whatIf,
                        bool timeline) {
  if (launch.sampled.empty() || launch.blocks == 0) {
    Estimate nothing;
    nothing.ms = card.launchMicroseconds * 1e-3;
    nothing.profiledMs = nothing.ms - microsecondsOfEvents * 1e-3;
    return nothing;
  }
  return LaunchTime(launch, card, whatIf, timeline).estimate();
}

}  // namespace estimate
