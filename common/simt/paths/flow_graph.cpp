#include "simt/paths/flow_graph.h"

#include <algorithm>

namespace simt {

FlowGraph::FlowGraph() : next_(2), previous_(2) {}

uint32_t FlowGraph::blockOf(uint32_t code) {
  const auto [it, isNew] = numbers_.try_emplace(code, uint32_t(next_.size()));
  if (isNew) {
    next_.emplace_back();
    previous_.emplace_back();
    changed_ = true;
  }
  return it->second;
}

void FlowGraph::addEdge(uint32_t from, uint32_t to) {
  if (std::ranges::find(next_[from], to) != next_[from].end()) return;
  next_[from].push_back(to);
  previous_[to].push_back(from);
  changed_ = true;
}

// Depth first. Orders a block before all that it leads to; what leads back to a block that is still
// open closes a loop.
void FlowGraph::visit(uint32_t first) {
  std::vector<std::pair<uint32_t, size_t>> way = {{first, 0}};
  marks_[first] = Mark::open;
  while (!way.empty()) {
    auto& [block, tried] = way.back();
    if (tried == next_[block].size()) {
      marks_[block] = Mark::done;
      order_[block] = remaining_--;
      way.pop_back();
      continue;
    }
    const uint32_t to = next_[block][tried++];
    if (marks_[to] == Mark::open) loopEnds_[to].push_back(block);
    if (marks_[to] != Mark::unseen) continue;
    marks_[to] = Mark::open;
    way.emplace_back(to, 0);
  }
}

FlowGraph::Set FlowGraph::loopBlocks(uint32_t head) const {
  Set inside(next_.size());
  inside[head] = true;
  std::vector<uint32_t> open = loopEnds_[head];
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    if (inside[block]) continue;
    inside[block] = true;
    open.insert(open.end(), previous_[block].begin(), previous_[block].end());
  }
  return inside;
}

// The blocks through which every way from this one leads that was seen to its end.
FlowGraph::Set FlowGraph::alwaysReachedFrom(uint32_t head) const {
  Set always(next_.size());
  for (uint32_t without = 0; without < next_.size(); ++without) {
    if (without == head) continue;
    Set seen(next_.size());
    seen[head] = true;
    std::vector<uint32_t> open = {head};
    while (!open.empty() && !seen[end]) {
      const uint32_t block = open.back();
      open.pop_back();
      for (const uint32_t to : next_[block])
        if (to != without && !seen[to]) {
          seen[to] = true;
          open.push_back(to);
        }
    }
    always[without] = !seen[end];
  }
  return always;
}

void FlowGraph::analyse() {
  if (!changed_) return;
  changed_ = false;
  const size_t blocks = next_.size();
  marks_.assign(blocks, Mark::unseen);
  order_.assign(blocks, 0);
  loopEnds_.assign(blocks, {});
  loopOf_.assign(blocks, -1);
  left_.clear();
  remaining_ = uint32_t(blocks);
  visit(start);
  for (uint32_t block = 0; block < blocks; ++block)
    if (marks_[block] == Mark::unseen) visit(block);
  for (uint32_t head = 0; head < blocks; ++head) {
    if (loopEnds_[head].empty()) continue;
    loopOf_[head] = int(left_.size());
    const Set inside = loopBlocks(head);
    Set left = alwaysReachedFrom(head);
    for (size_t block = 0; block < blocks; ++block) left[block] = left[block] && !inside[block];
    left_.push_back(std::move(left));
  }
}

bool FlowGraph::leavesLoop(uint32_t head, uint32_t block) const {
  return left_[size_t(loopOf_[head])][block];
}

}  // namespace simt
