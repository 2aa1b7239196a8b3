// The ways that the threads of the running block take, and who is told of what they do together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simt/hardware/counters.h"
#include "simt/hardware/requests.h"
#include "simt/paths/lockstep.h"
#include "simt/paths/paths.h"
#include "simt/paths/plans.h"
#include "simt/threads/thread_block.h"

namespace simt {

// Is told, behind lock-step, what a warp does, in the order of issue.
struct WarpObserver {
  virtual void enters(unsigned warp,
                      const JointAccess& joint) = 0;  // a block; or lanes meet or part
  virtual void requests(unsigned warp, const Request& request) = 0;
  // The values of the next access of these lanes, for a request that is kept for a while.
  virtual void takeValues(unsigned warp, uint32_t lanes, uint64_t* values) = 0;

 protected:
  ~WarpObserver() = default;
};

// Who looks loads up that nobody has looked up before: those of a request, and those of a thread's
// log.
struct LoadCalls {
  void (*ofRequest)(unsigned warp, const Request& request);
  void (*ofThread)(Thread& thread);
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
  WarpObserver* observer = nullptr;  // or nobody
  const LoadCalls* loads = nullptr;  // likewise
};
inline PathBlock& runningPaths() { return static_cast<PathBlock&>(runningThreads()); }

}  // namespace simt
