#include "draw/stages.h"

#include <algorithm>
#include <map>
#include <utility>

using simt::Counters;
using simt::ThreadEvent;

bool isShuffle(const Stage& stage) { return stage.from.empty() && stage.to.empty(); }

namespace {

// What happened between two meetings of the lanes: the barriers passed, the warp operations since.
using Moment = std::pair<unsigned, unsigned>;

// The stages of one moment, in the order in which they are.
struct Moments {
  Stage loads, shuffles, stores;
};

// A thread's loads that it has not stored yet.
using Pending = std::map<unsigned, std::vector<const ThreadEvent*>>;

void takePart(Stage& stage, unsigned thread, unsigned threads) {
  stage.active.resize(threads);
  stage.active[thread] = true;
}

void addLoad(Stage& stage, const ThreadEvent& load, unsigned threads) {
  stage.from = load.array;
  stage.inShared = load.shared;
  stage.arrows.push_back({load.thread, unsigned(load.index), load.thread});
  takePart(stage, load.thread, threads);
}

// A store of what the thread has just loaded, or of its register.
void addStore(Stage& stage, const ThreadEvent& store, const std::vector<const ThreadEvent*>& loads,
              unsigned threads) {
  stage.to = store.array;
  takePart(stage, store.thread, threads);
  const auto to = unsigned(store.index);
  for (const ThreadEvent* load : loads) {
    stage.from = load->array;
    stage.inShared = load->shared;
    const bool inPlace = load->array == store.array;
    if (inPlace && load->index == store.index)
      stage.keeps.push_back({store.thread, to, to});
    else
      stage.arrows.push_back({store.thread, unsigned(load->index), to, inPlace});
  }
  if (loads.empty()) stage.arrows.push_back({store.thread, store.thread, to});
}

Moments momentOf(const std::vector<const ThreadEvent*>& events, unsigned threads) {
  Moments m;
  Counters counted;
  Pending pending;
  for (const ThreadEvent* event : events) {
    std::vector<const ThreadEvent*>& loads = pending[event->thread];
    switch (event->kind) {
      case ThreadEvent::Kind::load: loads.push_back(event); break;
      case ThreadEvent::Kind::store:
      case ThreadEvent::Kind::atomic:
        addStore(m.stores, *event, loads, threads);
        loads.clear();
        break;
      case ThreadEvent::Kind::shuffle:
        takePart(m.shuffles, event->thread, threads);
        if (event->from != event->thread)
          m.shuffles.arrows.push_back(
              {event->thread, event->from, event->thread, true, event->value != 0});
        break;
      case ThreadEvent::Kind::met: counted += event->counted; break;
    }
  }
  for (const auto& [thread, loads] : pending)
    for (const ThreadEvent* load : loads) addLoad(m.loads, *load, threads);

  // Each stage has the counts of its kind; the last has what else there is, such as the barrier.
  if (!m.shuffles.active.empty()) std::swap(m.shuffles.counted.shuffles, counted.shuffles);
  if (!m.loads.active.empty()) {
    Counters& c = m.loads.counted;
    std::swap(c.load_requests, counted.load_requests);
    std::swap(c.load_sectors, counted.load_sectors);
    std::swap(c.shared_load_requests, counted.shared_load_requests);
    std::swap(c.shared_load_conflicts, counted.shared_load_conflicts);
  }
  Stage& last = !m.stores.active.empty()     ? m.stores
                : !m.shuffles.active.empty() ? m.shuffles
                                             : m.loads;
  last.counted += counted;
  return m;
}

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

std::vector<Stage> stagesOf(const std::vector<ThreadEvent>& events, unsigned threads) {
  std::map<Moment, std::vector<const ThreadEvent*>> moments;
  for (const ThreadEvent& event : events) moments[{event.phase, event.step}].push_back(&event);
  std::vector<Stage> stages;
  for (const auto& [moment, what] : moments) {
    Moments m = momentOf(what, threads);
    for (Stage* stage : {&m.loads, &m.stores, &m.shuffles})
      if (!stage->active.empty()) stages.push_back(std::move(*stage));
  }
  // The schedule decides which thread comes first, and no picture should show that.
  for (Stage& stage : stages) {
    std::ranges::stable_sort(stage.arrows, {}, &Arrow::thread);
    std::ranges::stable_sort(stage.keeps, {}, &Arrow::to);
  }
  findWhatCounts(stages, threads);
  return stages;
}
