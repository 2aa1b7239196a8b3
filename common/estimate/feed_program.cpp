#include "estimate/feed_program.h"

#include <algorithm>

namespace estimate {
namespace {

using Kind = Operation::Kind;

bool loadsValue(Kind kind) {
  return kind == Kind::load || kind == Kind::sharedLoad || kind == Kind::atomic ||
         kind == Kind::sharedAtomic || kind == Kind::shuffle || kind == Kind::vote;
}

}  // namespace

void ProgramWriter::issue() {
  // Fractions add up over the steps.
  if (count_ < 0.5f) return;
  Operation o;
  o.kind = Kind::instructions;
  o.lanes = 32;
  o.count = count_;
  o.chain = std::clamp(chain_, 1.0f, count_);
  o.special = special_;
  o.branches = branches_;
  o.source = countSource_;
  warp_.operations.push_back(o);
  count_ = chain_ = special_ = branches_ = 0;
}

void ProgramWriter::needAll() {
  const auto next = uint32_t(warp_.operations.size());
  for (const Awaited& load : awaited_) warp_.operations[load.place].neededAt = next;
  awaited_.clear();
  turns_.clear();
}

// The same load comes again: in a loop that nvcc leaves as it is, its value has been used by then;
// in one that it unrolls by four, the values of four turns are loaded first.
void ProgramWriter::needBefore(uint64_t pc) {
  const LoopKind loop = instructions_.loopAround(pc).kind;
  if (loop == LoopKind::unrolled) return;
  const unsigned together = loop == LoopKind::unrolledByFour ? 4 : 1;
  if (turns_[pc]++ < together) return;
  needAll();
  turns_[pc] = 1;
}

void ProgramWriter::enter(uint64_t pc) {
  if (predicated_ != 0 && pc != predicated_) count_ += skipped_;
  const CodeCost& cost = instructions_.behind(pc);
  predicated_ = cost.predicated;
  skipped_ = cost.skipped;
  count_ += cost.count;
  chain_ += cost.chain;
  special_ += cost.special;
  branches_ += cost.branches;
}

void ProgramWriter::add(const Operation& operation, const void* pc, uint32_t source) {
  const uint64_t place = pc ? Disassembly::inFile(pc) : 0;
  if (operation.kind == Kind::instructions) {
    if (place == 0) {
      count_ += 1;  // the return
    } else {
      if (source != 0 && count_ < 0.5f) countSource_ = source;
      enter(place);
    }
    return;
  }
  const bool isLoad = operation.kind == Kind::load || operation.kind == Kind::sharedLoad;
  issue();
  if (isLoad)
    needBefore(place);
  else
    needAll();
  Operation o = operation;
  o.source = source;
  if (loadsValue(o.kind)) awaited_.push_back({uint32_t(warp_.operations.size()), place});
  warp_.operations.push_back(o);
  if (source != 0) countSource_ = source;
  enter(place);
}

Warp ProgramWriter::finish() {
  issue();
  return std::move(warp_);
}

// ---- Loops

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
