#include "estimate/launch_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/errors.h"
#include "base/escape.h"
#include "estimate/long_loops.h"

namespace estimate {

namespace {

constexpr double warpWidth = 32, registerGranule = 256;  // registers come in such pieces per warp
constexpr size_t generations = 16;      // of resident blocks, in a simulation of a large grid
constexpr double mostOperations = 3e6;  // of all blocks of a simulation

// The middle of every run of neighbours, without the grid's last block where there are others.
std::vector<const Block*> typicalBlocks(const Launch& launch) {
  const std::vector<Block>& all = launch.sampled;
  std::vector<const Block*> typical;
  for (size_t from = 0, to = 0; from < all.size(); from = to) {
    to = from + 1;
    while (to < all.size() && all[to].number == all[to - 1].number + 1) ++to;
    const size_t outside = (to - from) / 4;
    for (size_t i = from + outside; i < to - outside; ++i)
      if (all[i].number + 1 != launch.blocks) typical.push_back(&all[i]);
  }
  if (typical.empty())
    for (const Block& block : all) typical.push_back(&block);
  return typical;
}

double writtenBytes(const Block& block) {
  double sectors = 0;
  for (const Warp& warp : block.warps) {
    for (size_t i = 0; i < warp.operations.size(); ++i) {
      const Operation& o = warp.operations[i];
      const bool repeated = i >= warp.repeatFrom && i < warp.repeatTo;
      if (o.kind == Operation::Kind::store)
        sectors += o.memorySectors * (repeated ? 1 + warp.repeats : 1);
    }
  }
  return 32 * sectors;
}

// No more of an array comes from memory than there is of it: where the blocks together touch more
// than that, others touched most of it before. Of arrays that stay in L2 meanwhile; of larger ones,
// what is read at random places finds the part that L2 has room for.
class ComesOnce {
 public:
  ComesOnce(const Launch& launch, const std::vector<const Block*>& typical, const Card& card)
      : parts_(4 * launch.arrays.size(), 1), rest_(parts_.size(), 0) {
    std::vector<double> touched(2 * launch.arrays.size(), 0);
    for (const Block* block : typical)
      for (const Warp& warp : block->warps)
        for (size_t i = 0; i < warp.operations.size(); ++i) {
          const Operation& o = warp.operations[i];
          touched[placeOf(o) / 2] += o.memorySectors * timesOf(warp, i);
        }
    for (size_t i = 2; i < touched.size(); ++i) {
      const double bytes = double(launch.arrays[i / 2]);
      const double all = 32 * touched[i] / double(typical.size()) * double(launch.blocks);
      if (all <= bytes) continue;
      // Half of L2 is for what is written: see writesReachMemory.
      const bool isWritten = i % 2 == 1;
      const double room = std::min(1.0, (isWritten ? card.l2Bytes / 2 : card.l2Bytes) / bytes);
      if (room == 1) parts_[2 * i] = bytes / all;
      parts_[2 * i + 1] = 1 - room * (1 - bytes / all);
    }
  }
  bool changesAnything() const {
    return std::ranges::any_of(parts_, [](double part) { return part < 1; });
  }
  Block applied(Block block) {
    for (Warp& warp : block.warps)
      for (Operation& o : warp.operations) {
        const size_t at = placeOf(o);
        if (parts_[at] >= 1) continue;
        rest_[at] += o.memorySectors * parts_[at];
        const auto sectors = uint16_t(std::min(rest_[at], double(o.memorySectors)));
        rest_[at] -= sectors;
        o.l2Sectors = uint16_t(o.l2Sectors + o.memorySectors - sectors);
        const double part = double(sectors) / std::max(1.0, double(o.memorySectors));
        o.memorySectors = sectors;
        for (uint16_t* some : {&o.aloneSectors, &o.sparseSectors, &o.partialSectors})
          *some = uint16_t(*some * part + 0.5);
      }
    return block;
  }

 private:
  // Reads and writes of an array are apart, and reads at random places from others.
  static size_t placeOf(const Operation& o) {
    const bool atRandom = o.aloneSectors > 0 && 2 * o.aloneSectors >= o.memorySectors;
    return 4 * size_t(o.array) + 2 * (o.kind != Operation::Kind::load) + atRandom;
  }
  static double timesOf(const Warp& warp, size_t i) {
    return i >= warp.repeatFrom && i < warp.repeatTo ? 1 + warp.repeats : 1;
  }
  std::vector<double> parts_, rest_;
};

// What is in L1, and what no longer is: of a thread's own arrays, what so many other lines were
// asked for since that they have taken its place comes from L2 again. (Of other arrays, too, the
// product by warps of lesson 09 would be estimated twice as slow as it is.) Of an array that L1 has
// room for, blocks find what others on their multiprocessor brought. L1 and shared memory have 256
// KiB together.
class InL1 {
 public:
  InL1(const Launch& launch, const std::vector<const Block*>& typical, const Card& card,
       double blocks, double blocksInAll)
      : kept_(launch.arrays.size(), 0) {
    constexpr double lineBytes = 128, besideShared = 28 * 1024;
    const double warps = blocks * std::ceil(launch.threads / warpWidth);
    const double shared =
        launch.sharedBytes > 0 ? launch.sharedBytes + card.reservedSharedBytes : 0;
    const double bytes = std::max(besideShared, card.sharedBytes + besideShared - shared * blocks);
    lines_ = bytes / lineBytes / std::max(1.0, warps);
    const double local = localBytes(typical) * blocks * card.multiprocessors;
    beyondL2_ = local > 0 ? std::max(0.0, 1 - card.l2Bytes / local) : 0;
    std::vector<double> touched(launch.arrays.size(), 0);
    for (const Block* block : typical)
      for (const Warp& warp : block->warps)
        for (const Operation& o : warp.operations)
          if (o.kind == Operation::Kind::load) touched[o.array] += o.memorySectors + o.l2Sectors;
    for (size_t i = 1; i < touched.size(); ++i) {
      const double all = 32 * touched[i] / double(typical.size()) * blocksInAll;
      if (double(launch.arrays[i]) <= bytes / 2 && all > double(launch.arrays[i]))
        kept_[i] = 1 - double(launch.arrays[i]) / all;
    }
  }
  bool changes(const Block& block) const {
    return std::ranges::any_of(block.warps, [&](const Warp& warp) {
      return std::ranges::any_of(warp.operations,
                                 [&](const Operation& o) { return far(o) > 0 || kept(o) > 0; });
    });
  }
  Block applied(Block block) {
    for (Warp& warp : block.warps)
      for (Operation& o : warp.operations) {
        const uint16_t toL2 = part(farRest_, o.l1Sectors * far(o));
        o.l1Sectors = uint16_t(o.l1Sectors - toL2), o.l2Sectors = uint16_t(o.l2Sectors + toL2);
        if (o.isLocal) {
          o.memorySectors = part(memoryRest_, o.l2Sectors * beyondL2_);
          o.l2Sectors = uint16_t(o.l2Sectors - o.memorySectors);
          o.aloneSectors = o.memorySectors;
          if (o.kind == Operation::Kind::store) o.partialSectors = o.memorySectors;
        }
        const double keep = kept(o);
        if (keep == 0) continue;
        const uint16_t memory = part(keptMemoryRest_, o.memorySectors * keep);
        const uint16_t l2 = part(keptL2Rest_, o.l2Sectors * keep);
        o.memorySectors = uint16_t(o.memorySectors - memory);
        o.l2Sectors = uint16_t(o.l2Sectors - l2);
        o.l1Sectors = uint16_t(o.l1Sectors + memory + l2);
        o.aloneSectors = std::min(o.aloneSectors, o.memorySectors);
        o.sparseSectors = std::min(o.sparseSectors, o.memorySectors);
      }
    return block;
  }

 private:
  // Of its sectors in L1. Warps are not in step: the end of L1 is no sharp one.
  double far(const Operation& o) const {
    constexpr double begin = 0.75, width = 0.5;
    if (o.l1Sectors == 0 || !o.isLocal) return 0;
    return std::clamp((double(o.linesSince) / lines_ - begin) / width, 0.0, 1.0);
  }
  double kept(const Operation& o) const {
    return o.kind == Operation::Kind::load && !o.isLocal ? kept_[o.array] : 0;
  }
  // Whole sectors; what is left of one is added to the next.
  static uint16_t part(double& rest, double sectors) {
    rest += sectors;
    const double whole = std::floor(rest + 1e-9);
    rest -= whole;
    return uint16_t(std::max(0.0, whole));
  }
  // Of a thread's own memory, what a block has touched.
  static double localBytes(const std::vector<const Block*>& typical) {
    double most = 0;
    for (const Warp& warp : typical.back()->warps) {
      double lines = 0;
      for (const Operation& o : warp.operations)
        if (o.isLocal) lines = std::max(lines, double(o.linesSince));
      most += lines;
    }
    return 128 * most;
  }
  std::vector<double> kept_;
  double lines_ = 0, beyondL2_ = 0;
  double farRest_ = 0, memoryRest_ = 0, keptMemoryRest_ = 0, keptL2Rest_ = 0;
};

// Of L2's units for atomics, those that a launch's are spread over: each piece of memory goes to
// one of them, by chance.
double atomicUnits(const Launch& launch, const Card& card) {
  const double share = 1 - std::exp(-launch.atomicPieces / card.atomicUnits);
  return std::max(1.0, card.atomicUnits * share);
}

// A multiprocessor's blocks in their order: typical ones, and the grid's last at the end.
std::vector<const Block*> sequence(const Launch& launch, const std::vector<const Block*>& typical,
                                   size_t count) {
  std::vector<const Block*> blocks(count);
  for (size_t i = 0; i < count; ++i) blocks[i] = typical[i % typical.size()];
  // Where each multiprocessor has one block, the last of the grid is not the typical one.
  const Block& last = launch.sampled.back();
  if (last.number + 1 == launch.blocks && (count > 1 || launch.blocks == 1)) blocks.back() = &last;
  return blocks;
}

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
      : launch_(launch), card_(card), typical_(typicalBlocks(launch)) {
    setup_.residentBlocks = residentBlocks(launch, card);
    busy_ = std::max(1.0, std::min(card.multiprocessors, double(launch.blocks)));
    ComesOnce once(launch, typical_, card);
    const double blocksAtOnce =
        std::min(double(setup_.residentBlocks), std::ceil(double(launch.blocks) / busy_));
    InL1 inL1(launch, typical_, card, blocksAtOnce, double(launch.blocks) / busy_);
    changed_.reserve(typical_.size());
    for (const Block*& block : typical_) {
      const bool differs = inL1.changes(*block);
      if (!differs && !once.changesAnything()) continue;
      changed_.push_back(differs ? inL1.applied(*block) : *block);
      if (once.changesAnything()) changed_.back() = once.applied(std::move(changed_.back()));
      block = &changed_.back();
    }
    setup_.activeMultiprocessors = busy_;
    // Where all blocks are resident at once, the multiprocessor that is looked at has as many as
    // any: those with fewer leave it the more of the memory.
    const double most = std::ceil(double(launch.blocks) / busy_);
    if (most <= setup_.residentBlocks) setup_.activeMultiprocessors = double(launch.blocks) / most;
    setup_.whatIf = whatIf;
    setup_.ofGpuCode = launch.ofGpuCode;
    setup_.timeline = timeline;
    const double written = writtenBytes(*typical_.back()) * double(launch.blocks);
    setup_.writesReachMemory = written > card.l2Bytes / 2;
    setup_.atomicUnits = atomicUnits(launch, card);
  }

  Estimate estimate();

 private:
  Run run(size_t blocks) const {
    return runShortened(sequence(launch_, typical_, blocks), launch_.sources.size(), card_, setup_);
  }
  size_t affordable(size_t blocks) const;

  const Launch& launch_;
  const Card& card_;
  std::vector<const Block*> typical_;
  std::vector<Block> changed_;  // of them, those that are not as they were traced
  double busy_ = 1;             // multiprocessors that have blocks
  Setup setup_;
};

// How many blocks are simulated: all of a small grid's, some generations of a large one's.
size_t LaunchTime::affordable(size_t blocks) const {
  const size_t resident = setup_.residentBlocks;
  const double each = std::max(1.0, operationsOf(*typical_.back()));
  const size_t most =
      std::max(2 * resident, std::min(generations * resident, size_t(mostOperations / each)));
  return std::min(blocks, most / resident * resident);
}

Estimate LaunchTime::estimate() {
  const double all = double(launch_.blocks) / busy_;
  const size_t whole = size_t(std::ceil(all));
  const size_t simulated = affordable(whole);
  Run full = run(simulated);
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
  result.instructions *= busy_;
  result.ms = cycles / card_.clockGhz * 1e-6 + card_.launchMicroseconds * 1e-3;
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
  const double warps = std::ceil(std::max(1u, launch.threads) / warpWidth);
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
    return nothing;
  }
  return LaunchTime(launch, card, whatIf, timeline).estimate();
}

}  // namespace estimate
