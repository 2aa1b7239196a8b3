#include "explore/page_steps.h"

#include <algorithm>
#include <optional>

using simt::Trace;
using simt::TraceStep;
using Kind = PageStep::Kind;

unsigned warpsOf(const simt::TracedBlock& block) {
  return (block.size.x * block.size.y * block.size.z + 31) / 32;
}

namespace {

using Steps = std::vector<const TraceStep*>;

Kind kindOf(const TraceStep& step) {
  switch (step.kind) {
    case TraceStep::Kind::load: return Kind::load;
    case TraceStep::Kind::store: return Kind::store;
    case TraceStep::Kind::atomic: return Kind::atomic;
    case TraceStep::Kind::shuffle: return Kind::shuffle;
    case TraceStep::Kind::vote: return Kind::vote;
    case TraceStep::Kind::reduce: return Kind::reduce;
    case TraceStep::Kind::warpBarrier: return Kind::warpBarrier;
    case TraceStep::Kind::returned: return Kind::returned;
    default: return Kind::arrive;
  }
}

// The steps of one warp, one after the other.
class WarpSteps {
 public:
  void add(const TraceStep* step) { steps_.push_back(step); }

  // The next one to show; nothing at the end.
  std::optional<PageStep> next() {
    if (parting_) {
      const TraceStep* const step = parting_;
      parting_ = nullptr;
      return branchAt(*step);
    }
    while (place_ < steps_.size()) {
      const TraceStep& step = *steps_[place_++];
      if (step.divergent) parting_ = &step;
      if (step.kind != TraceStep::Kind::code)
        return PageStep{.kind = kindOf(step), .traced = &step, .counted = countedAt(step)};
      if (step.divergent) return next();
    }
    return {};
  }

 private:
  // Lanes go the same way when the next thing that they do is the same step.
  PageStep branchAt(const TraceStep& step) const {
    PageStep branch{.kind = Kind::branch, .traced = &step};
    branch.counted.divergent_branches = 1;
    uint32_t left = step.lanes;
    for (size_t i = place_; i < steps_.size() && left != 0; ++i) {
      const uint32_t going = steps_[i]->lanes & left;
      if (going == 0) continue;
      branch.parts.push_back(going);
      branch.ways.push_back(steps_[i]->pc);
      left &= ~going;
    }
    if (left != 0) {
      branch.parts.push_back(left);
      branch.ways.push_back(nullptr);
    }
    return branch;
  }

  Steps steps_;
  size_t place_ = 0;
  const TraceStep* parting_ = nullptr;  // lanes part after this one, which was shown last
};

// A block's warps, which take turns.
class BlockSteps {
 public:
  explicit BlockSteps(const simt::TracedBlock& block) : warps_(warpsOf(block)) {
    const unsigned threads = block.size.x * block.size.y * block.size.z;
    for (unsigned w = 0; w < warps_.size(); ++w)
      warps_[w].away = threads >= 32 * w + 32 ? 0 : ~0u << (threads - 32 * w);
  }

  WarpSteps& warp(unsigned number) { return warps_.at(number).steps; }

  void appendTo(std::vector<PageStep>& all) {
    for (bool anything = true; anything;) {
      anything = false;
      for (Warp& warp : warps_) {
        if (warp.waits() || warp.ended) continue;
        std::optional<PageStep> step = warp.steps.next();
        warp.ended = !step;
        if (warp.ended) continue;
        anything = true;
        if (step->kind == Kind::returned) warp.away |= step->traced->lanes;
        if (step->kind == Kind::arrive) arrive(warp, *step);
        all.push_back(*step);
      }
      if (!anything) anything = openForTheRest(all);
    }
  }

 private:
  struct Warp {
    WarpSteps steps;
    uint32_t away = 0, arrived = 0;  // lanes: returned or never there; at the barrier
    bool ended = false;
    bool waits() const { return arrived != 0 && (arrived | away) == ~0u; }
  };

  void arrive(Warp& warp, PageStep& step) {
    warp.arrived |= step.traced->lanes;
    for (const Warp& other : warps_) {
      step.arrived += other.arrived != 0;
      step.warps += other.arrived != 0 || !other.ended;
    }
    lastToArrive_ = step.traced;
    if (std::ranges::all_of(warps_, [](const Warp& w) { return w.ended || w.waits(); })) open(step);
  }

  void open(PageStep& step) {
    step.kind = Kind::barrier;
    if (step.traced->kind == TraceStep::Kind::blockBarrier) step.counted.barriers = 1;
    for (Warp& warp : warps_) warp.arrived = 0;
  }

  // Nobody else comes: the others have returned.
  bool openForTheRest(std::vector<PageStep>& all) {
    const auto waiting =
        unsigned(std::ranges::count_if(warps_, [](const Warp& warp) { return warp.arrived != 0; }));
    const bool more = std::ranges::any_of(warps_, [](const Warp& warp) { return !warp.ended; });
    if (waiting == 0 || !more) return false;
    PageStep step{
        .kind = Kind::barrier, .traced = lastToArrive_, .arrived = waiting, .warps = waiting};
    open(step);
    all.push_back(step);
    return true;
  }

  std::vector<Warp> warps_;
  const TraceStep* lastToArrive_ = nullptr;
};

}  // namespace

std::vector<PageStep> pageSteps(const Trace& trace) {
  std::vector<BlockSteps> blocks;
  for (const simt::TracedBlock& block : trace.blocks) blocks.emplace_back(block);
  for (const TraceStep& step : trace.steps) blocks.at(step.block).warp(step.warp).add(&step);
  std::vector<PageStep> all;
  for (BlockSteps& block : blocks) block.appendTo(all);
  return all;
}
