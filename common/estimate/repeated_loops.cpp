#include "estimate/repeated_loops.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace estimate {
namespace {

bool isSame(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.source == b.source && a.lanes == b.lanes && a.bytes == b.bytes &&
         a.count == b.count && a.lines == b.lines &&
         (a.kind == Operation::Kind::load || a.passes == b.passes);
}

struct Period {
  size_t from = 0, length = 0, turns = 0;
};

// The longest part that repeats itself. A longer one than the best so far has the last of any as
// many places as that is long: most others are not looked at.
Period longestPeriod(const std::vector<Operation>& operations) {
  constexpr size_t longest = 64;
  Period best;
  for (size_t length = 1; length <= longest && length < operations.size(); ++length) {
    const size_t places = operations.size() - length;
    const auto repeats = [&](size_t i) { return isSame(operations[i], operations[i + length]); };
    for (size_t i = 0, end = 0; i < places; i = end) {
      end = std::min(i + std::max(best.turns * best.length, length), places);
      size_t from = end;
      while (from > i && repeats(from - 1)) --from;
      if (from == end) continue;
      while (end < places && repeats(end)) ++end;
      const size_t turns = (end - from) / length + 1;
      if (turns * length > best.turns * best.length + length) best = {from, length, turns};
    }
  }
  return best;
}

// Of the turns from first on, the last ones stay listed and stand for all of them: they have the
// sectors of all, evenly shared out.
void shareOutSectors(std::vector<Operation>& operations, size_t first, size_t length, size_t turns,
                     size_t listed) {
  for (const auto sectors :
       {&Operation::memorySectors, &Operation::l2Sectors, &Operation::l1Sectors,
        &Operation::mergedSectors, &Operation::aloneSectors, &Operation::sparseSectors,
        &Operation::partialSectors, &Operation::sectorsOfAll, &Operation::updatedSectors})
    for (size_t i = 0; i < length; ++i) {
      double all = 0;
      for (size_t t = 0; t < turns; ++t) all += operations[first + t * length + i].*sectors;
      if (all == 0) continue;
      const auto upTo = [&](size_t t) { return std::floor(all / double(turns) * double(t) + 0.5); };
      const size_t to = first + (turns - listed) * length;
      for (size_t t = 0; t < listed; ++t)
        operations[to + t * length + i].*sectors = uint16_t(upTo(t + 1) - upTo(t));
    }
}

// How many lines of constants these operations go through.
uint32_t linesOf(const std::vector<Operation>& operations, size_t from, size_t to) {
  std::set<uint64_t> lines;
  for (size_t i = from; i < to; ++i)
    if (operations[i].uniformReads > 0) lines.insert(operations[i].address);
  return uint32_t(lines.size());
}

}  // namespace

void foldLoops(Block& block) {
  // Operations that are no trouble; turns to list; turns whose loads may go together.
  constexpr size_t few = 2048, kept = 32, together = 16;
  size_t most = 0;
  for (const Warp& warp : block.warps) most = std::max(most, warp.operations.size());
  if (most < few) return;
  std::vector<Period> periods;
  for (const Warp& warp : block.warps) periods.push_back(longestPeriod(warp.operations));
  size_t turns = SIZE_MAX;
  for (const Period& period : periods) turns = std::min(turns, period.turns);
  if (turns <= 2 * kept) return;
  const size_t dropped = (turns - kept) / together * together;
  // What goes together with a turn that is left out goes with nobody.
  const auto moved = [&](uint64_t number) {
    const Period& p = periods[Block::warpOf(number)];
    const size_t first = p.from + p.length * (kept / 2), end = first + dropped * p.length;
    const size_t place = Block::placeOf(number);
    return place < first ? number : place < end ? 0 : number - dropped * p.length;
  };
  for (size_t w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    const Period& p = periods[w];
    const auto first = uint32_t(p.from + p.length * (kept / 2));  // turns in the steady state
    const auto removed = uint32_t(dropped * p.length);
    shareOutSectors(warp.operations, first, p.length, dropped + kept / 2, kept / 2);
    // Of constants, turns that are left out read other lines.
    const size_t to = first + removed;
    const uint32_t lines = linesOf(warp.operations, to, to + p.length * (kept / 2));
    if (linesOf(warp.operations, first, to) > lines) warp.linesOfTurns = lines;
    const auto begin = warp.operations.begin() + first;
    warp.operations.erase(begin, begin + removed);
    for (Operation& o : warp.operations) {
      if (o.neededAt != Operation::never && o.neededAt >= first + removed) o.neededAt -= removed;
      if (o.together != 0) o.together = moved(o.together);
    }
    warp.repeatFrom = first;
    warp.repeatTo = first + uint32_t(p.length * (kept / 2));
    warp.repeats = double(dropped) / double(kept / 2);
  }
}

}  // namespace estimate
