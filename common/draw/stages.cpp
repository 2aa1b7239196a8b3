#include "draw/stages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "simt/hardware/memory_units.h"

using simt::Counters;
using simt::Trace;
using simt::TracedArray;
using simt::TraceStep;
using simt::warpWidth;

bool isShuffle(const Stage& stage) { return stage.from.empty() && stage.to.empty(); }

namespace {

struct Element {
  const TracedArray* array = nullptr;
  unsigned index = 0;
};

// When something happened: the block's place in the trace, the barriers passed before, the warp
// operations since.
using Moment = std::array<unsigned, 3>;

// What happened between two meetings of the lanes.
struct Happened {
  Stage loads, stores, shuffles;                     // in the order in which they are drawn
  std::map<unsigned, std::vector<Element>> pending;  // by thread: loaded, and not stored yet
  Counters counted;
};

void takePart(Stage& stage, unsigned thread, unsigned threads) {
  stage.active.resize(threads);
  stage.active[thread] = true;
}

void setFrom(Stage& stage, const TracedArray& array) {
  stage.from = array.name;
  stage.inShared = array.space == simt::MemorySpace::shared;
}

// A store of what the thread has just loaded, or of its register.
void addStore(Stage& stage, unsigned thread, const Element& store,
              const std::vector<Element>& loads) {
  stage.to = store.array->name;
  for (const Element& load : loads) {
    setFrom(stage, *load.array);
    const bool inPlace = load.array == store.array;
    if (inPlace && load.index == store.index)
      stage.keeps.push_back({thread, store.index, store.index});
    else
      stage.arrows.push_back({thread, load.index, store.index, inPlace});
  }
  if (loads.empty()) stage.arrows.push_back({thread, thread, store.index});
}

// The stages of one moment. Each has the counts of its kind; the last has what else there is, such
// as the barrier.
void settle(Happened& happened, unsigned threads) {
  auto& [loads, stores, shuffles, pending, counted] = happened;
  for (const auto& [thread, elements] : pending)
    for (const Element& load : elements) {
      setFrom(loads, *load.array);
      loads.arrows.push_back({thread, load.index, thread});
      takePart(loads, thread, threads);
    }
  if (!shuffles.active.empty()) std::swap(shuffles.counted.shuffles, counted.shuffles);
  if (!loads.active.empty()) {
    Counters& c = loads.counted;
    std::swap(c.load_requests, counted.load_requests);
    std::swap(c.load_sectors, counted.load_sectors);
    std::swap(c.shared_load_requests, counted.shared_load_requests);
    std::swap(c.shared_load_conflicts, counted.shared_load_conflicts);
  }
  Stage& last = !stores.active.empty() ? stores : !shuffles.active.empty() ? shuffles : loads;
  last.counted += counted;
}

// Goes through the steps of a trace and sorts what they did by moments.
class Sorter {
 public:
  Sorter(const Trace& trace, unsigned threads) : trace_(trace), threads_(threads) {
    for (const TraceStep& step : trace.steps) add(step);
  }

  std::map<Moment, Happened> moments;

 private:
  void add(const TraceStep& step) {
    if (reached_.empty() || reached_[0][0] != step.block) {
      reached_.assign(threads_, {step.block, 0, 0});
      barriers_ = 0;
    }
    Moment now = reached_[firstThread(step)];
    forEachLane(step, [&](unsigned thread, unsigned) { now = std::max(now, reached_[thread]); });
    Happened& happened = moments[now];
    happened.counted += simt::countedAt(step);
    switch (step.kind) {
      case TraceStep::Kind::load:
      case TraceStep::Kind::store:
      case TraceStep::Kind::atomic: addAccesses(happened, step); break;
      case TraceStep::Kind::shuffle: addShuffle(happened.shuffles, step); [[fallthrough]];
      case TraceStep::Kind::vote:
      case TraceStep::Kind::reduce:
      case TraceStep::Kind::warpBarrier: ++now[2]; break;
      case TraceStep::Kind::blockBarrier:
      case TraceStep::Kind::gridBarrier:
        if (barriers_ == now[1]) happened.counted.barriers = 1, ++barriers_;
        now = {step.block, now[1] + 1, 0};
        break;
      default: break;
    }
    forEachLane(step, [&](unsigned thread, unsigned) { reached_[thread] = now; });
    moments[now].counted.divergent_branches += step.isBranch;
  }

  void addAccesses(Happened& happened, const TraceStep& step) {
    forEachLane(step, [&](unsigned thread, unsigned lane) {
      const std::vector<Element> elements = elementsAt(trace_.address(step, lane), step.bytes);
      std::vector<Element>& pending = happened.pending[thread];
      if (step.kind == TraceStep::Kind::load) {
        pending.insert(pending.end(), elements.begin(), elements.end());
        return;
      }
      // What was loaded several at a time is stored so.
      for (size_t i = 0; i < elements.size(); ++i) {
        std::vector<Element> loads;
        for (size_t k = i; k < pending.size(); k += elements.size()) loads.push_back(pending[k]);
        addStore(happened.stores, thread, elements[i], loads);
        takePart(happened.stores, thread, threads_);
      }
      pending.clear();
    });
  }

  void addShuffle(Stage& shuffles, const TraceStep& step) {
    forEachLane(step, [&](unsigned thread, unsigned lane) {
      takePart(shuffles, thread, threads_);
      const unsigned from = step.warp * warpWidth + trace_.sourceLane(step, lane);
      if (from != thread)
        shuffles.arrows.push_back({thread, from, thread, true, trace_.value(step, lane) != 0});
    });
  }

  // Nothing where no array is known.
  std::vector<Element> elementsAt(uint64_t address, unsigned bytes) const {
    std::vector<Element> elements;
    for (const TracedArray& array : trace_.arrays) {
      if (address - array.address >= array.bytes) continue;
      // The type of a shared variable is not known: its elements are what is accessed at a time.
      const bool known = array.space == simt::MemorySpace::global || array.elementSize > 1;
      const size_t size = known ? array.elementSize : bytes;
      const uint64_t first = (address - array.address) / size;
      for (uint64_t i = 0; i < std::max<uint64_t>(bytes / size, 1); ++i)
        elements.push_back({&array, unsigned(first + i)});
      break;
    }
    return elements;
  }

  static unsigned firstThread(const TraceStep& step) {
    return step.warp * warpWidth + unsigned(std::countr_zero(step.lanes));
  }
  template <typename Function>
  static void forEachLane(const TraceStep& step, Function function) {
    for (uint32_t left = step.lanes; left != 0; left &= left - 1) {
      const auto lane = unsigned(std::countr_zero(left));
      function(step.warp * warpWidth + lane, lane);
    }
  }

  const Trace& trace_;
  const unsigned threads_;
  std::vector<Moment> reached_;  // by each thread
  unsigned barriers_ = 0;        // of the block, that are counted
};

// Goes back from the end: a register counts when it is stored, or added to one that counts. What
// was zero, and so adds nothing, does not count.
void findWhatCounts(std::vector<Stage>& stages, unsigned threads) {
  std::vector<bool> counts(threads);
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (isShuffle(*stage)) {
      const std::vector<bool> after = counts;
      for (unsigned i = 0; i < threads; ++i)
        if (after[i] && stage->active[i]) stage->keeps.push_back({i, i, i});
      for (Arrow& arrow : stage->arrows) {
        arrow.counts = arrow.counts && after[arrow.to];
        if (arrow.counts) counts[arrow.from] = true;
      }
    } else {
      for (const Arrow& arrow : stage->arrows) counts[arrow.thread] = stage->from.empty();
    }
  }
}

}  // namespace

std::vector<Stage> stagesOf(const Trace& trace) {
  unsigned threads = 0;
  for (const simt::TracedBlock& block : trace.blocks)
    threads = std::max(threads, block.size.x * block.size.y * block.size.z);
  Sorter sorter(trace, threads);
  std::vector<Stage> stages;
  for (auto& [moment, happened] : sorter.moments) {
    settle(happened, threads);
    for (Stage* stage : {&happened.loads, &happened.stores, &happened.shuffles})
      if (!stage->active.empty()) stages.push_back(std::move(*stage));
  }
  // In the order of threads, not of what the trace has first.
  for (Stage& stage : stages) {
    std::ranges::stable_sort(stage.arrows, {}, &Arrow::thread);
    std::ranges::stable_sort(stage.keeps, {}, &Arrow::to);
  }
  findWhatCounts(stages, threads);
  return stages;
}
