// What recordEvents() asks for: a list of what the threads of a block do.
#pragma once

#include <vector>

#include "simt/run/access.h"
#include "simt/run/executor.h"
#include "simt/threads/thread.h"

namespace simt {

class EventRecorder {
 public:
  void appendTo(std::vector<ThreadEvent>* events) { events_ = events; }
  bool on() const { return events_ != nullptr; }

  void beginBlock();
  void addAccess(const Thread& thread, uintptr_t address, size_t size, Access kind);
  void addShuffle(const Thread& thread, unsigned from);
  void warpMet(unsigned warp);
  void blockMet();

 private:
  ThreadEvent& add(ThreadEvent::Kind kind, const Thread& thread);

  std::vector<ThreadEvent>* events_ = nullptr;
  unsigned phase_ = 0, steps_[maxWarps] = {};
  Counters seen_;  // of the block's counters, what is in an event already
};

}  // namespace simt
