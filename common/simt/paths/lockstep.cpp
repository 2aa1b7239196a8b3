#include "simt/paths/lockstep.h"

#include <algorithm>
#include <bit>

#include "simt/paths/paths.h"

namespace simt {
namespace {

template <typename Function>
void forEachLane(uint32_t lanes, Function&& function) {
  for (; lanes != 0; lanes &= lanes - 1) function(unsigned(std::countr_zero(lanes)));
}

}  // namespace

void Lockstep::append(unsigned number, const uint32_t* codes, size_t count) {
  Lane& lane = lanes_[number];
  present_ |= 1u << number;
  lane.codes.erase(lane.codes.begin(), lane.codes.begin() + std::ptrdiff_t(lane.next));
  lane.next = 0;
  lane.codes.insert(lane.codes.end(), codes, codes + count);
  for (size_t i = 0; i < count; ++i) {
    if (tagOf(codes[i]) == CodeTag::access) continue;
    const uint32_t block = graph_.blockOf(codes[i]);
    graph_.addEdge(lane.lastKnown, block);
    lane.lastKnown = block;
  }
}

// Whether it is known where the lane goes after its present block.
bool Lockstep::knowsNext(const Lane& lane) {
  const auto from = lane.codes.begin() + std::ptrdiff_t(lane.next);
  return std::any_of(from, lane.codes.end(),
                     [](uint32_t code) { return tagOf(code) != CodeTag::access; });
}

void Lockstep::place(Lane& lane) {
  lane.position.clear();
  for (const Turn& turn : lane.turns) {
    lane.position.push_back(graph_.orderOf(turn.head));
    lane.position.push_back(turn.count);
  }
  lane.position.push_back(graph_.orderOf(lane.block));
}

// Enters the block that comes next.
void Lockstep::moveOn(Lane& lane) {
  if (lane.inCondition > 0) --lane.inCondition;
  lane.blockCode = lane.codes[lane.next++];
  const uint32_t block = graph_.known(lane.blockCode);
  lane.block = block;
  auto& turns = lane.turns;
  const auto at = std::ranges::find(turns, block, &Turn::head);
  if (at != turns.end()) {
    ++at->count;
    turns.erase(at + 1, turns.end());
  } else {
    const auto left = [&](const Turn& turn) { return graph_.leavesLoop(turn.head, block); };
    turns.erase(std::ranges::find_if(turns, left), turns.end());
    if (graph_.isLoopHead(block)) turns.push_back({block, 0});
  }
  place(lane);
}

// Those of these lanes that are furthest behind, all at the same place.
uint32_t Lockstep::frontLanes(uint32_t candidates) const {
  uint32_t front = 0;
  const std::vector<uint32_t>* first = nullptr;
  forEachLane(candidates, [&](unsigned lane) {
    const auto& position = lanes_[lane].position;
    if (first && position == *first) {
      front |= 1u << lane;
    } else if (!first || position < *first) {
      first = &position;
      front = 1u << lane;
    }
  });
  return front;
}

// The accesses of the block that these lanes are in.
void Lockstep::execute(uint32_t group, const Emit& emit) {
  const auto pending = [&](unsigned lane) {
    const Lane& l = lanes_[lane];
    const bool isAccess = l.next < l.codes.size() && tagOf(l.codes[l.next]) == CodeTag::access;
    return isAccess ? l.codes[l.next] : ~0u;
  };
  for (bool continues = false;; continues = true) {
    // A lane may leave one out, of a variable of its own: code addresses rise within a block.
    uint32_t code = ~0u;
    forEachLane(group, [&](unsigned lane) { code = std::min(code, pending(lane)); });
    if (code == ~0u) return;
    JointAccess joint{.code = code, .index = {}, .continues = continues};
    forEachLane(group, [&](unsigned lane) {
      if (pending(lane) != code) return;
      joint.lanes |= 1u << lane;
      joint.index[lane] = lanes_[lane].accesses++;
      ++lanes_[lane].next;
    });
    emit(joint);
  }
}

// Whether these lanes leave their block for different ones.
bool Lockstep::part(uint32_t group) const {
  const auto next = [&](int number) {
    const Lane& lane = lanes_[number];
    size_t at = lane.next;
    while (at < lane.codes.size() && tagOf(lane.codes[at]) == CodeTag::access) ++at;
    return at < lane.codes.size() ? lane.codes[at] : 0;
  };
  const uint32_t first = next(std::countr_zero(group));
  bool parted = false;
  forEachLane(group, [&](unsigned lane) { parted = parted || next(int(lane)) != first; });
  return parted;
}

// ---- Conditions

// Host compilers make blocks of the parts of a condition as they like, and branches of what is a
// predicate on a GPU. So that both count the same, lanes that part are looked at until a block that
// does something: accesses memory, meets others, or begins a loop or leaves one.
constexpr size_t mostAhead = 6;  // blocks that are looked at

bool Lockstep::knowsAhead(const Lane& lane) const {
  size_t blocks = 0;
  for (size_t at = lane.next; at < lane.codes.size(); ++at) {
    if (tagOf(lane.codes[at]) == CodeTag::meeting) return true;
    if (tagOf(lane.codes[at]) == CodeTag::basicBlock && ++blocks > mostAhead) return true;
  }
  return false;
}

// Whether the block there does nothing but lead to the next one.
bool Lockstep::isPlain(const Lane& lane, size_t at) const {
  if (tagOf(lane.codes[at]) != CodeTag::basicBlock || at + 1 >= lane.codes.size()) return false;
  if (tagOf(lane.codes[at + 1]) != CodeTag::basicBlock) return false;
  const uint32_t block = graph_.known(lane.codes[at]);
  return !graph_.isLoopHead(block) && std::ranges::none_of(lane.turns, [&](const Turn& turn) {
    return turn.head == block || graph_.leavesLoop(turn.head, block);
  });
}

// The blocks that come next, up to the first one that does something.
std::vector<uint32_t> Lockstep::blocksAhead(const Lane& lane) const {
  std::vector<uint32_t> blocks;
  for (size_t at = lane.next; at < lane.codes.size(); ++at) {
    blocks.push_back(graph_.known(lane.codes[at]));
    if (blocks.size() == mostAhead || !isPlain(lane, at)) break;
  }
  return blocks;
}

// Lanes that part are no branch where all come to one block before anything was done: a choice of
// values. What follows in the same condition, a && b or a || b, is the same branch.
bool Lockstep::countsAsBranch(uint32_t group) {
  bool counted = true;
  forEachLane(group, [&](unsigned lane) { counted = counted && lanes_[lane].inCondition > 0; });
  if (counted) return false;
  std::vector<uint32_t> ahead[warpWidth];
  std::vector<uint32_t> targets;
  forEachLane(group, [&](unsigned lane) {
    ahead[lane] = blocksAhead(lanes_[lane]);
    if (!ahead[lane].empty()) targets.push_back(ahead[lane][0]);
  });
  for (const uint32_t block : ahead[std::countr_zero(group)]) {
    bool common = true;
    forEachLane(group, [&](unsigned lane) {
      common = common && std::ranges::find(ahead[lane], block) != ahead[lane].end();
    });
    if (!common) continue;
    forEachLane(group, [&](unsigned lane) {
      lanes_[lane].inCondition =
          unsigned(std::ranges::find(ahead[lane], block) - ahead[lane].begin());
    });
    return false;
  }
  const auto goesToTarget = [&](uint32_t block) {
    return std::ranges::any_of(graph_.after(block), [&](uint32_t to) {
      return std::ranges::find(targets, to) != targets.end();
    });
  };
  forEachLane(group, [&](unsigned lane) {
    unsigned& inCondition = lanes_[lane].inCondition;
    inCondition = 0;
    while (inCondition + 1 < ahead[lane].size() && goesToTarget(ahead[lane][inCondition]))
      ++inCondition;
  });
  return true;
}

uint64_t Lockstep::run(uint32_t more, uint32_t blocked, const Emit& emit) {
  forEachLane(present_ & ~more, [&](unsigned lane) {
    if (lanes_[lane].lastKnown != FlowGraph::end)
      graph_.addEdge(lanes_[lane].lastKnown, FlowGraph::end);
  });
  graph_.analyse();
  uint32_t active = 0;
  forEachLane(present_, [&](unsigned lane) {
    place(lanes_[lane]);
    const bool done = lanes_[lane].block == FlowGraph::end;
    if (!done) active |= 1u << lane;
  });
  uint64_t divergent = 0;
  while (active != 0) {
    const uint32_t group = frontLanes(active);
    const bool parts = part(group);
    uint32_t unready = 0;
    forEachLane(group, [&](unsigned number) {
      const Lane& lane = lanes_[number];
      if ((more >> number & 1) && (!knowsNext(lane) || (parts && !knowsAhead(lane))))
        unready |= 1u << number;
    });
    if (unready & ~blocked) break;
    active &= ~unready;
    const uint32_t ready = group & ~unready;
    if (ready == 0) continue;
    const uint32_t code = lanes_[std::countr_zero(ready)].blockCode;
    if (emitsBlocks_ && code != 0) emit({.code = code, .lanes = ready, .index = {}});
    execute(ready, emit);
    const bool parted = part(ready);
    const bool isBranch = parted && countsAsBranch(ready);
    divergent += isBranch;
    if (emitsBlocks_ && parted)
      emit({.code = JointAccess::parting, .lanes = ready, .index = {}, .isBranch = isBranch});
    forEachLane(ready, [&](unsigned number) {
      Lane& lane = lanes_[number];
      if (lane.next < lane.codes.size()) {
        moveOn(lane);
      } else {
        lane.block = FlowGraph::end;
        active &= ~(1u << number);
      }
    });
  }
  return divergent;
}

bool Lockstep::together(uint32_t lanes) const {
  bool same = true;
  forEachLane(present_, [&](unsigned lane) { same = same && codesLeft(lane) == 0; });
  const auto& first = lanes_[std::countr_zero(lanes)].position;
  forEachLane(lanes, [&](unsigned lane) { same = same && lanes_[lane].position == first; });
  return same;
}

}  // namespace simt
