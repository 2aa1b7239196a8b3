// Where blocks go on, where lanes that part meet again, and how many registers a thread needs.
#include <algorithm>

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
    bool falls = true;
    if (!block.code.empty()) {
      const Instruction& last = block.code.back();
      const bool always = last.guard.kind == Operand::Kind::none;
      if (last.op == Op::bra || last.op == Op::brx) {
        block.next = last.targets;
        falls = last.op == Op::bra && !always;
      } else if (last.op == Op::ret || last.op == Op::exit) {
        falls = !always;
      }
    }
    if (falls && b + 1 < f.blocks.size()) block.next.push_back(uint32_t(b + 1));
    for (uint32_t& next : block.next) next = behindJumps(f, next);
  }
}

// Post-dominators by Cooper, Harvey and Kennedy, over the graph turned round; the end is a block of
// its own, behind the last.
void findMeetings(Function& f) {
  const auto count = uint32_t(f.blocks.size()), end = count;
  std::vector<std::vector<uint32_t>> before(count + 1);
  std::vector<uint32_t> exits;
  for (uint32_t b = 0; b < count; ++b) {
    const auto& code = f.blocks[b].code;
    const bool leaves =
        f.blocks[b].next.empty() ||
        (!code.empty() && (code.back().op == Op::ret || code.back().op == Op::exit));
    if (leaves) before[end].push_back(b);
    for (const uint32_t next : f.blocks[b].next) before[next].push_back(b);
  }
  // Endless loops end somewhere all the same.
  std::vector<uint32_t> order;
  std::vector<uint32_t> number(count + 1, UINT32_MAX);
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
  std::vector<uint32_t> meets(count + 1, UINT32_MAX);
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
      for (const uint32_t next : f.blocks[b].next) meet(next);
      if (std::ranges::find(before[end], b) != before[end].end()) meet(end);
      if (found != meets[b]) meets[b] = found, changed = true;
    }
  }
  for (uint32_t b = 0; b < count; ++b) f.blocks[b].meets = meets[b] == end ? UINT32_MAX : meets[b];
}

}  // namespace

void findFlow(Function& f) {
  jumpBackAtEnds(f);
  findNext(f);
  findMeetings(f);
}

}  // namespace estimate::gpu_code
