#include "estimate/typical_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace estimate {

namespace {

// Of a large grid, which end a block lies at, or neither.
enum class Edge { none, first, last };
Edge edgeOf(const Block& block, uint64_t blocks) {
  constexpr uint64_t small = 32;
  if (blocks <= small || !isAtEnd(block, blocks)) return Edge::none;
  return block.number < neighbours ? Edge::first : Edge::last;
}

// Which ends of a large grid have less to do than the rest, as in a volume of which the faces are
// left out, or where the last row of blocks reaches over an image's: of all blocks, few do.
std::array<bool, 3> idleEnds(const Launch& launch) {
  constexpr double same = 0.02, much = 0.25;
  std::array<double, 3> sums = {}, counts = {};
  double least = INFINITY, most = 0;  // of the rest
  for (const Block& block : launch.sampled) {
    const Edge edge = edgeOf(block, launch.blocks);
    const double its = instructionsOf(block);
    sums[size_t(edge)] += its, ++counts[size_t(edge)];
    if (edge == Edge::none) least = std::min(least, its), most = std::max(most, its);
  }
  const bool areSame = most <= (1 + same) * least;
  const auto isIdle = [&](Edge end) {
    const auto e = size_t(end);
    if (counts[0] == 0 || counts[e] == 0) return false;
    const double more = sums[e] / counts[e] / (sums[0] / counts[0]) - 1;
    return more < -(areSame ? same : much);
  };
  return {false, isIdle(Edge::first), isIdle(Edge::last)};
}

}  // namespace

double instructionsOf(const Warp& warp) {
  double all = 0;
  for (size_t i = 0; i < warp.operations.size(); ++i)
    all += warp.operations[i].count * warp.timesOf(i);
  return all;
}

double instructionsOf(const Block& block) {
  double all = 0;
  for (const Warp& warp : block.warps) all += instructionsOf(warp);
  return all;
}

bool varyMuch(double sum, double squares, double count) {
  constexpr double most = 0.1;
  const double mean = sum / std::max(1.0, count);
  return squares / std::max(1.0, count) - mean * mean > most * most * mean * mean;
}

bool areUneven(const Launch& launch) {
  double sum = 0, squares = 0, count = 0;
  for (const Block& block : launch.sampled) {
    if (edgeOf(block, launch.blocks) != Edge::none) continue;
    const double its = instructionsOf(block);
    sum += its, squares += its * its, ++count;
  }
  return count >= 4 && varyMuch(sum, squares, count);
}

std::vector<const Block*> typicalBlocks(const Launch& launch) {
  const std::vector<Block>& all = launch.sampled;
  std::vector<const Block*> typical;
  for (const uint64_t number : launch.chosen) {
    const auto at = std::ranges::find(all, number, &Block::number);
    if (at != all.end()) typical.push_back(&*at);
  }
  if (!typical.empty()) return typical;
  const std::array<bool, 3> without = idleEnds(launch);
  const bool areAll = all.size() == launch.blocks && areUneven(launch);
  for (size_t from = 0, to = 0; from < all.size(); from = to) {
    to = from + 1;
    while (to < all.size() && all[to].number == all[to - 1].number + 1) ++to;
    const size_t outside = areAll ? 0 : (to - from) / 4;
    for (size_t i = from + outside; i < to - outside; ++i)
      if (areAll ||
          (all[i].number + 1 != launch.blocks && !without[size_t(edgeOf(all[i], launch.blocks))]))
        typical.push_back(&all[i]);
  }
  if (typical.empty())
    for (const Block& block : all) typical.push_back(&block);
  return typical;
}

std::vector<const Block*> sequence(const Launch& launch, const std::vector<const Block*>& typical,
                                   const Block* last, size_t count, size_t from, size_t step,
                                   double multiprocessors) {
  std::vector<const Block*> blocks(count);
  for (size_t i = 0; i < count; ++i) blocks[i] = typical[(from + i * step) % typical.size()];
  if (from + 1 < step) return blocks;  // another has it
  // Where each multiprocessor has one block, the last of the grid is not the typical one; and where
  // it does less than others, multiprocessors with as many blocks take longer, if there are any.
  const bool isThere = last->number + 1 == launch.blocks && (count > 1 || launch.blocks == 1),
             isOnlyOne = double(launch.blocks - 1) <= double(count - 1) * multiprocessors;
  if (isThere && (isOnlyOne || instructionsOf(*last) >= instructionsOf(*blocks.back())))
    blocks.back() = last;
  return blocks;
}

double writtenBytes(const Block& block) {
  double sectors = 0;
  for (const Warp& warp : block.warps)
    for (size_t i = 0; i < warp.operations.size(); ++i) {
      const Operation& o = warp.operations[i];
      if (o.kind == Operation::Kind::store || o.kind == Operation::Kind::atomic)
        sectors += o.memorySectors * warp.timesOf(i);
    }
  return 32 * sectors;
}

size_t mostOfOne(const std::vector<double>& ends, size_t resident, size_t multiprocessors,
                 uint64_t blocks) {
  constexpr double apart = 0.01;  // that the fastest are quicker and the slowest slower than most
  const auto first = ends.begin(), end = first + ptrdiff_t(resident);
  const auto speed = [&](size_t m) {
    return 1 + apart * (2 * double(m) / double(std::max<size_t>(2, multiprocessors) - 1) - 1);
  };
  std::vector<double> all;
  for (size_t m = 0; m < multiprocessors; ++m)
    for (auto at = first; at != end; ++at) all.push_back(*at * speed(m));
  const auto last = all.begin() + ptrdiff_t(blocks - multiprocessors * resident - 1);
  std::ranges::nth_element(all, last);
  return resident + size_t(std::upper_bound(first, end, *last / speed(0)) - first);
}

}  // namespace estimate
