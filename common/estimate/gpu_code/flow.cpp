// Where blocks go on, where lanes that part meet again, and how many registers a thread needs.
#include <algorithm>
#include <utility>

#include "estimate/gpu_code/ptx.h"

namespace estimate::gpu_code {
namespace {

// Where a block leads that does nothing but jump on.
uint32_t behindJumps(const Function& f, uint32_t block) {
  for (size_t turns = 0; turns < f.blocks.size(); ++turns) {
    const auto& code = f.blocks[block].code;
    if (code.size() != 1 || code[0].op != Op::bra || code[0].guard.kind != Operand::Kind::none)
      return block;
    block = code[0].targets[0];
  }
  return block;
}

// A loop of one block that is left by a jump, and goes on by the jump behind it, as one that jumps
// back by itself.
void jumpBackAtEnds(Function& f) {
  for (uint32_t b = 0; b + 1 < f.blocks.size(); ++b) {
    if (f.blocks[b].code.empty() || f.blocks[b + 1].code.size() != 1) continue;
    Instruction &leaves = f.blocks[b].code.back(), &goesOn = f.blocks[b + 1].code[0];
    if (leaves.op != Op::bra || leaves.guard.kind == Operand::Kind::none || goesOn.op != Op::bra ||
        goesOn.guard.kind != Operand::Kind::none || goesOn.targets[0] != b)
      continue;
    std::swap(leaves.targets, goesOn.targets);
    leaves.guard.negated = !leaves.guard.negated;
  }
}

void findNext(Function& f) {
  for (size_t b = 0; b < f.blocks.size(); ++b) {
    BasicBlock& block = f.blocks[b];
    if (!block.code.empty() && isAnyOf(block.code.back().op, {Op::bra, Op::brx}))
      block.next = block.code.back().targets;
    if (fallsThrough(block) && b + 1 < f.blocks.size()) block.next.push_back(uint32_t(b + 1));
    for (uint32_t& next : block.next) next = behindJumps(f, next);
  }
}

using Indices = std::vector<uint32_t>;

// Post-dominators by Cooper, Harvey and Kennedy, over the graph turned round; the end is a block of
// its own, behind the last.
Indices meetingsOf(const std::vector<Indices>& nextOf, const std::vector<bool>& leaves) {
  const auto count = uint32_t(nextOf.size()), end = count;
  std::vector<Indices> before(count + 1);
  Indices order;
  for (uint32_t b = 0; b < count; ++b) {
    if (leaves[b] || nextOf[b].empty()) before[end].push_back(b);
    for (const uint32_t next : nextOf[b]) before[next].push_back(b);
  }
  // Endless loops end somewhere all the same.
  Indices number(count + 1, UINT32_MAX);
  const auto visit = [&](uint32_t from) {
    std::vector<std::pair<uint32_t, size_t>> stack = {{from, 0}};
    number[from] = 0;
    while (!stack.empty()) {
      auto& [block, at] = stack.back();
      if (at < before[block].size()) {
        const uint32_t next = before[block][at++];
        if (number[next] == UINT32_MAX) number[next] = 0, stack.emplace_back(next, 0);
      } else {
        order.push_back(block);
        stack.pop_back();
      }
    }
  };
  visit(end);
  for (uint32_t b = 0; b < count; ++b)
    if (number[b] == UINT32_MAX) {
      before[end].push_back(b);
      order.pop_back();
      visit(b);
      order.push_back(end);
    }
  for (uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  Indices meets(count + 1, UINT32_MAX);
  meets[end] = end;
  const auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = meets[a];
      while (number[b] < number[a]) b = meets[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size(); i-- > 0;) {
      const uint32_t b = order[i];
      if (b == end) continue;
      uint32_t found = UINT32_MAX;
      const auto meet = [&](uint32_t next) {
        if (meets[next] != UINT32_MAX) found = found == UINT32_MAX ? next : common(found, next);
      };
      for (const uint32_t next : nextOf[b]) meet(next);
      if (std::ranges::find(before[end], b) != before[end].end()) meet(end);
      if (found != meets[b]) meets[b] = found, changed = true;
    }
  }
  meets.pop_back();
  for (uint32_t& each : meets)
    if (each == end) each = UINT32_MAX;
  return meets;
}

void findMeetings(Function& f) {
  std::vector<Indices> next;
  std::vector<bool> leaves;
  for (const BasicBlock& block : f.blocks) {
    const auto& code = block.code;
    next.push_back(block.next);
    leaves.push_back(!code.empty() && (code.back().op == Op::ret || code.back().op == Op::exit));
  }
  const Indices meets = meetingsOf(next, leaves);
  for (size_t b = 0; b < meets.size(); ++b) f.blocks[b].meets = meets[b];
}

// Adds the blocks that come to one from which the loop begins again; false where one can be entered
// but through the first.
bool addTurn(std::vector<bool>& has, const std::vector<Indices>& before, uint32_t from) {
  Indices all = {from};
  while (!all.empty()) {
    const uint32_t block = all.back();
    all.pop_back();
    if (has[block]) continue;
    if (block == 0) return false;
    has[block] = true;
    all.insert(all.end(), before[block].begin(), before[block].end());
  }
  return true;
}

// Where those meet that stay in a loop which others leave before: at its first block at the latest.
void findMeetingsIn(Function& f, uint32_t number, uint32_t first) {
  const std::vector<bool>& has = f.loops[number].has;
  std::vector<Indices> next(f.blocks.size());
  std::vector<bool> again(f.blocks.size(), false);
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (const uint32_t n : f.blocks[b].next) {
      if (!has[b] || !has[n]) continue;
      if (n == first)
        again[b] = true;
      else
        next[b].push_back(n);
    }
  const Indices meets = meetingsOf(next, again);
  const auto stay = [&](const BasicBlock& block) {
    return std::ranges::all_of(block.next, [&](uint32_t n) { return has[n]; });
  };
  bool isLeftByTable = false;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    isLeftByTable = isLeftByTable || (has[b] && f.blocks[b].next.size() > 2 && !stay(f.blocks[b]));
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    BasicBlock& block = f.blocks[b];
    if (!has[b] || block.next.size() != 2) continue;
    for (size_t side = 0; side < 2; ++side)
      if (!has[block.next[side]]) block.leaves[side] = number;
    if (std::exchange(block.isInLoop, true) || isLeftByTable || !stay(block)) continue;
    if (block.meets == UINT32_MAX || !has[block.meets])
      block.meetsInLoop = meets[b] == UINT32_MAX ? first : meets[b];
  }
}

void findLoops(Function& f) {
  std::vector<Indices> before(f.blocks.size());
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (const uint32_t next : f.blocks[b].next) before[next].push_back(b);
  std::vector<std::pair<uint32_t, Loop>> found;  // by the first block
  for (uint32_t first = 0; first < f.blocks.size(); ++first) {
    Loop loop;
    loop.has.resize(f.blocks.size(), false);
    loop.has[first] = true;
    bool isLoop = false;
    for (const uint32_t last : before[first]) {
      std::vector<bool> has = loop.has;
      if (!addTurn(has, before, last)) continue;
      loop.has = std::move(has);
      isLoop = true;
    }
    if (!isLoop) continue;
    loop.meets = first;
    while (loop.meets != UINT32_MAX && loop.has[loop.meets])
      loop.meets = f.blocks[loop.meets].meets;
    found.emplace_back(first, std::move(loop));
  }
  const auto blocksOf = [](const auto& each) { return std::ranges::count(each.second.has, true); };
  std::ranges::stable_sort(found, {}, blocksOf);
  for (auto& [first, loop] : found) {
    f.loops.push_back(std::move(loop));
    findMeetingsIn(f, uint32_t(f.loops.size() - 1), first);
  }
}

}  // namespace

bool fallsThrough(const BasicBlock& block) {
  if (block.code.empty()) return true;
  const Instruction& last = block.code.back();
  if (last.op == Op::brx) return false;
  const bool leaves = isAnyOf(last.op, {Op::bra, Op::ret, Op::exit});
  return !leaves || last.guard.kind != Operand::Kind::none;
}

void findFlow(Function& f) {
  jumpBackAtEnds(f);
  findNext(f);
  findMeetings(f);
  findLoops(f);
}

}  // namespace estimate::gpu_code
