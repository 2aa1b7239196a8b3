// The ways that the threads of the running block take, and who is told of what they do.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simt/hardware/counters.h"
#include "simt/hardware/requests.h"
#include "simt/paths/lockstep.h"
#include "simt/paths/merged_requests.h"
#include "simt/paths/paths.h"
#include "simt/paths/plans.h"
#include "simt/threads/thread_block.h"

namespace simt {

// Is told what the running block does: of warps behind lock-step, in the order of issue. Who does
// not care for something leaves it out.
struct Observer {
  virtual void begins() {}
  virtual void ends() {}
  // It lets other blocks run, and goes on later. At a barrier of the grid, what it did until now
  // comes before all that follows.
  virtual void turnEnds(bool /*atGridBarrier*/) {}
  // These threads meet; before the log of their warp is closed.
  virtual void meet(const std::vector<Thread*>& /*threads*/) {}

  // Lanes enter a basic block, or meet, or part: where PathBlock::tellsSteps.
  virtual void enters(unsigned /*warp*/, const JointAccess&) {}
  // As the hardware would serve it.
  virtual void requests(unsigned /*warp*/, const Request&) {}
  // The values of the next access of these lanes, for a request that is kept for a while: if the
  // observer has them.
  virtual bool takeValues(unsigned /*warp*/, uint32_t /*lanes*/, uint64_t* /*values*/) {
    return false;
  }
  // Where tellsLoads: the loads of a request that loadsOf() had not; and those of a thread's log,
  // before it does what orders its accesses.
  virtual void loads(unsigned /*warp*/, const Request&) {}
  virtual void loadsOf(Thread&) {}

 protected:
  ~Observer() = default;
};

struct WarpLog {
  // The addresses of each lane's accesses on its path: 32 to a row.
  std::vector<uint64_t> addresses;
  // Where lanes parted and are not yet in step again although their logs were full.
  std::unique_ptr<Lockstep> lockstep;
  std::vector<uint64_t> waiting[warpWidth];  // addresses of accesses that lockstep holds

  PathSegment* lastEnd = nullptr;  // where its last path ended; null: none in this block
  bool someChecked = false;        // some lane's loads of the log were looked up
  uint32_t waitingLanes = 0;       // that have come to a warp operation
  uint32_t returnedLanes = 0;      // that come to none any more
};

struct PathBlock : ThreadBlock {
  Counters counters;
  PathTree paths;
  PlanCache plans;
  WarpLog logs[maxWarps];
  std::vector<Observer*> observers;
  bool tellsSteps = false, tellsLoads = false;  // to these: somebody asks for them

  // For work in progress: of no use to anybody else.
  PlanCache::Paths endsOfPaths;
  std::vector<KeptRequest> kept;
};
inline PathBlock& runningPaths() { return static_cast<PathBlock&>(runningThreads()); }

}  // namespace simt
