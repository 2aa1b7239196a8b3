// What requests find in L2 and L1 because other blocks, or the same thread, brought it before.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "estimate/card.h"
#include "estimate/warp_program.h"

namespace estimate {

constexpr double warpWidth = 32;
// Of a block.
inline double warpsOf(const Launch& launch) {
  return std::ceil(std::max(1u, launch.threads) / warpWidth);
}

// Of several that are asked about one after the other, whether this is among a share of them; rest
// is what is left over of those before.
inline bool isNext(double& rest, double share) {
  rest += share;
  if (rest < 1) return false;
  rest -= 1;
  return true;
}

// No more of an array comes from memory than there is of it: where the blocks together touch more
// than that, others touched most of it before. Of arrays that stay in L2 meanwhile; of larger ones,
// what is read at random places finds the part that L2 has room for.
class ComesOnce {
 public:
  // atOnce: how many blocks are resident.
  ComesOnce(const Launch& launch, const std::vector<const Block*>& typical, const Card& card,
            double atOnce);
  bool changesAnything() const {
    return std::ranges::any_of(parts_, [](double part) { return part < 1; }) ||
           std::ranges::any_of(updated_, [](const Updated& its) { return its.isKnown; });
  }
  Block applied(Block block);
  // Of a block that goes on when all others have ended, what they brought is in L2.
  Block behindOthers(Block block) const;

 private:
  // Reads and writes of an array are apart, and reads at random places from others.
  static size_t placeOf(const Operation& o) {
    const bool atRandom = o.aloneSectors > 0 && 2 * o.aloneSectors >= o.memorySectors;
    return 4 * size_t(o.array) + 2 * (o.kind != Operation::Kind::load) + atRandom;
  }
  std::vector<double> parts_, rest_;
  // Of requests for what others touched before, those that do so while it is on its way: as among
  // the blocks that were looked at.
  std::vector<double> onTheirWay_, restOnTheirWay_;
  std::vector<double> brought_;  // of each array, by all blocks into L2
  std::vector<bool> byBlocks_;   // where those that read the same are not resident together
  // Of reads at random places: how often all read each, and the part that L2 never has. What comes
  // from memory does so in the beginning: which part while a launch goes from so much done to that.
  struct AtRandom {
    double times = 1, lacking = 1;
    bool isMost = false;  // of what is read of the array
    double part(double from, double to) const;
  };
  std::vector<AtRandom> atRandom_;
  // Of atomics at random places of an array: the parts of their sectors that come from memory and
  // that go back there.
  struct Updated {
    bool isKnown = false;
    double brought = 1, back = 1, restBrought = 0, restBack = 0;
    void apply(Operation& operation);
  };
  std::vector<Updated> updated_;
  double resident_, generations_;  // blocks at once, and how many times as many come
};

// Where all blocks are resident, each loads its own part of an array at about the same time: when
// one has waited for its own, L2 has those of the others.
class BroughtInStep {
 public:
  explicit BroughtInStep(const Launch& launch);
  bool changesAnything() const { return !parts_.empty(); }
  Block applied(Block block) const;

 private:
  // Array, line of the source, and the how many-th of these in its warp.
  using Load = std::tuple<uint16_t, uint32_t, uint32_t>;
  struct Part {
    uint64_t from = 0, to = 0;  // addresses that all blocks together load
  };
  static void forEachLoad(const Warp& warp, auto&& function);
  std::map<Load, Part> parts_;
};

// What is in L1, and what no longer is: where so many other lines were asked for since that they
// have taken its place, it comes from L2 again. Of an array that L1 has room for, and of what all
// blocks touch where it has room for that, blocks find what others on their multiprocessor brought.
// L1 and shared memory have 256 KiB together.
class InL1 {
 public:
  InL1(const Launch& launch, const std::vector<const Block*>& typical, const Card& card,
       double blocks, double blocksInAll);
  bool changes(const Block& block) const;
  Block applied(Block block);
  double linesOfAll() const { return linesOfAll_; }  // of 128 bytes, that it has room for

 private:
  // Of its sectors in L1. Warps are not in step: the end of L1 is no sharp one.
  double far(const Operation& o) const;
  double farthest(const Operation& o) const;  // of those that are not, what is not in L2 either
  double kept(const Operation& o) const {
    if (o.kind != Operation::Kind::load || o.isLocal) return 0;
    return std::max(kept_[o.array], o.commonLines * keptCommon_ / std::max<double>(1, o.lines));
  }
  // Whole sectors; what is left of one is added to the next.
  static uint16_t part(double& rest, double sectors) {
    rest += sectors;
    const double whole = std::floor(rest + 1e-9);
    rest -= whole;
    return uint16_t(std::max(0.0, whole));
  }
  // Of a thread's own memory, what a block has touched.
  static double localBytes(const std::vector<const Block*>& typical);
  std::vector<double> kept_;
  std::vector<bool> isOwn_;  // arrays of which no two blocks read the same
  double linesOfAll_ = 0, lines_ = 0, l2Lines_ = 0, beyondL2_ = 0, keptCommon_ = 0;
  double farRest_ = 0, memoryRest_ = 0, writtenRest_ = 0, againRest_ = 0, keptMemoryRest_ = 0,
         keptL2Rest_ = 0;
};

}  // namespace estimate
