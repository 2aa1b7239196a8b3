#include "estimate/long_loops.h"

#include <algorithm>
#include <cmath>

namespace estimate {

namespace {

constexpr double manyOperations = 4e6;  // of all blocks: more are not played one by one
constexpr double playedOperations = 1e6;

double operationsOf(const Warp& warp) {
  return double(warp.operations.size()) +
         warp.repeats * (double(warp.repeatTo) - double(warp.repeatFrom));
}

double operationsOf(const std::vector<const Block*>& blocks) {
  double sum = 0;
  for (const Block* block : blocks) sum += operationsOf(*block);
  return sum;
}

// The same blocks, each loop with a part of its turns.
std::vector<Block> shortened(const std::vector<const Block*>& blocks, double part) {
  std::vector<Block> all;
  all.reserve(blocks.size());
  for (const Block* block : blocks) {
    all.push_back(*block);
    for (Warp& warp : all.back().warps) warp.repeats = std::floor(warp.repeats * part);
  }
  return all;
}

std::vector<const Block*> placesOf(const std::vector<Block>& blocks) {
  std::vector<const Block*> places;
  for (const Block& block : blocks) places.push_back(&block);
  return places;
}

void addMore(double& value, double less, double factor) {
  value += factor * std::max(0.0, value - less);
}

}  // namespace

double operationsOf(const Block& block) {
  double sum = 0;
  for (const Warp& warp : block.warps) sum += operationsOf(warp);
  return sum;
}

Run runShortened(const std::vector<const Block*>& blocks, size_t sources, const Card& card,
                 const Setup& setup) {
  const double whole = operationsOf(blocks);
  if (whole <= manyOperations) return runMultiprocessor(blocks, sources, card, setup);
  const std::vector<Block> most = shortened(blocks, playedOperations / whole);
  const std::vector<Block> half = shortened(blocks, playedOperations / whole / 2);
  const double played = operationsOf(placesOf(most)), fewer = operationsOf(placesOf(half));
  if (played > whole / 2 || fewer >= played)  // there are no such loops
    return runMultiprocessor(blocks, sources, card, setup);
  const double factor = (whole - played) / (played - fewer);
  Run run = runMultiprocessor(placesOf(most), sources, card, setup);
  Setup other = setup;
  other.timeline = false;
  const Run less = runMultiprocessor(placesOf(half), sources, card, other);
  addMore(run.cycles, less.cycles, factor);
  addMore(run.endOfFirst, less.endOfFirst, factor);
  addMore(run.instructions, less.instructions, factor);
  for (size_t i = 0; i < run.ends.size(); ++i) addMore(run.ends[i], less.ends[i], factor);
  for (size_t i = 0; i < waitCount; ++i) addMore(run.warpCycles[i], less.warpCycles[i], factor);
  for (size_t line = 0; line < run.lines.size(); ++line)
    for (size_t i = 0; i < waitCount; ++i) addMore(run.lines[line][i], less.lines[line][i], factor);
  return run;
}

}  // namespace estimate
