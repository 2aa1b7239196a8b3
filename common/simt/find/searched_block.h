// What is looked for in the running block and launch, and what was found.
#pragma once

#include <optional>

#include "simt/find/block_accesses.h"
#include "simt/find/fault_log.h"
#include "simt/find/launch_accesses.h"
#include "simt/find/settings.h"
#include "simt/find/state_windows.h"
#include "simt/find/sync_order.h"
#include "simt/memory/worker_process.h"
#include "simt/observe/observed_block.h"

namespace simt {

// How long other threads of the host were let go on, for other_threads.cpp.
struct PatienceWithHost {
  double begin = 0, idleSince = 0;  // seconds, or 0
  double othersSeconds = 0;         // of processor time, as they were last
};

struct SearchedLaunch : TracedLaunch {
  Settings settings;
  FaultLog faults;
  bool isOver = false;  // a fault has ended it
  bool talks = false;   // its blocks have fences, or atomics of memory that all of them see
  bool waits = false;   // one of them has let others run that it may wait for
  LaunchAccesses accesses;
  bool forgotten = false;  // some of them, for want of room
  SyncOrder syncOrder;
  uint64_t changes = 0;  // that one of its blocks made, and another might wait for
  StateWindows windows;
  PatienceWithHost patienceWithHost;
};

struct SearchedBlock : ObservedBlock {
  bool findFaults = true;
  bool besideOthers = false;  // it takes turns with other blocks
  BlockAccesses accesses;
  uint64_t idleTurns = 0, idleBasicBlocks = 0;  // since noteProgress()
  uint64_t idleTimes = 0;                       // how often others were let run for it
  uint64_t changesSeen = 0;                     // of the launch's
  uint64_t polls = 0;                           // long turns of threads that may wait for others
  bool someoneComputes = false;                 // since then, for long and without an atomic
  double impatientSince = 0;                    // seconds, or 0
  uint64_t rounds = 0, roundsOfNextWindow = 0;  // for repetition.cpp
  bool waitsForBlocks = false;                  // perhaps: lets others go on
  uint64_t turns = 0;                           // as Settings::mostTurns counts them
  uintptr_t exceptionBegin = 0;                 // memory of the one that was thrown last
  size_t exceptionBytes = 0;
  std::optional<Fault> raised;  // by one of its threads, or the scheduler: it ends the launch

  SearchedLaunch& launch() const { return static_cast<SearchedLaunch&>(*launch_); }
};
inline SearchedBlock& runningSearch() { return static_cast<SearchedBlock&>(runningThreads()); }
inline SearchedLaunch& launchNow() { return runningSearch().launch(); }
// A thread of the running block is about to do what other blocks may see, and tell an order by.
inline void noteTalk() {
  launchNow().talks = true;
  giveUpIndependence();
}

}  // namespace simt
