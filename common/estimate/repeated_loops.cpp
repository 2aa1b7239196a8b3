#include "estimate/repeated_loops.h"

#include <algorithm>

namespace estimate {
namespace {

bool isSame(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.source == b.source && a.lanes == b.lanes && a.bytes == b.bytes &&
         a.count == b.count && a.lines == b.lines && a.passes == b.passes;
}

struct Period {
  size_t from = 0, length = 0, turns = 0;
};

// The longest part that repeats itself.
Period longestPeriod(const std::vector<Operation>& operations) {
  constexpr size_t longest = 64;
  Period best;
  for (size_t length = 1; length <= longest; ++length)
    for (size_t i = 0, run = 0; i + length < operations.size(); ++i) {
      run = isSame(operations[i], operations[i + length]) ? run + 1 : 0;
      const size_t turns = run / length + 1;
      if (turns * length > best.turns * best.length + length) best = {i + 1 - run, length, turns};
    }
  return best;
}

}  // namespace

void foldLoops(Block& block) {
  constexpr size_t few = 2048, kept = 16;  // operations that are no trouble; turns to list
  size_t most = 0;
  for (const Warp& warp : block.warps) most = std::max(most, warp.operations.size());
  if (most < few) return;
  std::vector<Period> periods;
  for (const Warp& warp : block.warps) periods.push_back(longestPeriod(warp.operations));
  size_t turns = SIZE_MAX;
  for (const Period& period : periods) turns = std::min(turns, period.turns);
  if (turns <= 2 * kept) return;
  const size_t dropped = turns - kept;
  for (size_t w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    const Period& p = periods[w];
    const auto first = uint32_t(p.from + p.length * (kept / 2));  // turns in the steady state
    const auto removed = uint32_t(dropped * p.length);
    const auto begin = warp.operations.begin() + first;
    warp.operations.erase(begin, begin + removed);
    for (Operation& o : warp.operations)
      if (o.neededAt != Operation::never && o.neededAt >= first + removed) o.neededAt -= removed;
    const auto listed = uint32_t(p.length * (kept / 4));
    warp.repeatFrom = first;
    warp.repeatTo = first + listed;
    warp.repeats = double(dropped) / double(kept / 4);
  }
}

}  // namespace estimate
