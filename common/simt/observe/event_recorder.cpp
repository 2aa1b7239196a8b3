#include "simt/observe/event_recorder.h"

#include <algorithm>
#include <iterator>

#include "simt/memory/arrays.h"
#include "simt/run/block.h"

namespace simt {

ThreadEvent& EventRecorder::add(ThreadEvent::Kind kind, const Thread& thread) {
  return events_->emplace_back(ThreadEvent{kind, thread.rank, phase_, steps_[thread.warp()]});
}

void EventRecorder::beginBlock() {
  phase_ = 0;
  std::fill(std::begin(steps_), std::end(steps_), 0u);
  seen_ = runningBlock().counters;
}

void EventRecorder::addAccess(const Thread& thread, uintptr_t address, size_t size, Access kind) {
  if (!on()) return;
  const Place place = placeOf(address, size);
  ThreadEvent& event = add(ThreadEvent::Kind(kind), thread);
  event.array = place.array;
  event.index = place.index;
  event.shared = sharedRange().contains(address);
}

void EventRecorder::addShuffle(const Thread& thread, unsigned from) {
  if (!on()) return;
  ThreadEvent& event = add(ThreadEvent::Kind::shuffle, thread);
  event.from = from;
  event.value = thread.result;
}

void EventRecorder::warpMet(unsigned warp) {
  if (!on()) return;
  const Counters& now = runningBlock().counters;
  add(ThreadEvent::Kind::met, runningBlock().threads[warp * warpWidth]).counted = Counters(now) -=
      seen_;
  seen_ = now;
  ++steps_[warp];
}

void EventRecorder::blockMet() {
  ++phase_;
  std::fill(std::begin(steps_), std::end(steps_), 0u);
}

}  // namespace simt
