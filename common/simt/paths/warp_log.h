// What the lanes of a warp have done since they last met, until it is joined to requests.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "simt/hardware/requests.h"
#include "simt/paths/lockstep.h"
#include "simt/paths/paths.h"
#include "simt/threads/thread.h"

namespace simt {

// The requests that lanes make together on certain paths. The same for every warp that takes them.
struct WarpPlan {
  std::vector<JointAccess> accesses;
  uint64_t divergentBranches = 0;
};

// The plans for paths that were taken before.
class PlanCache {
 public:
  using Paths = std::vector<const uint32_t*>;  // where each lane's path ends, null for none
  WarpPlan* find(const Paths& paths);
  WarpPlan& add(const Paths& paths, WarpPlan plan);
  void clear();
  // The same for lanes that all are on one path.
  WarpPlan* findUniform(const uint32_t* path, size_t lanes) const {
    const Uniform& known = uniform_[placeOf(path)];
    return known.path == path && known.lanes == lanes ? known.plan : nullptr;
  }
  void addUniform(const uint32_t* path, size_t lanes, WarpPlan& plan) {
    uniform_[placeOf(path)] = {path, lanes, &plan};
  }

 private:
  struct Uniform {
    const uint32_t* path = nullptr;
    size_t lanes = 0;
    WarpPlan* plan = nullptr;
  };
  static constexpr size_t uniformPlans = 64;
  static size_t placeOf(const uint32_t* path) {
    return (reinterpret_cast<uintptr_t>(path) * 0x9e3779b97f4a7c15u >> 32) % uniformPlans;
  }
  struct Hash {
    size_t operator()(const Paths& paths) const;
  };
  std::unordered_map<Paths, std::unique_ptr<WarpPlan>, Hash> plans_;
  size_t size_ = 0;
  Paths lastPaths_;
  WarpPlan* last_ = nullptr;
  Uniform uniform_[uniformPlans];
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

void beginLogs(std::span<Thread> lanes);  // empty paths, for lanes of one warp

// Joins and counts all that the warp did: all its lanes are at the same place, or have returned.
void closeLog(unsigned warp);
// The same as far as is known who goes where, and lets lanes go on that wait for it.
void resumePaused(unsigned warp);
void discardLog(unsigned warp);

void clearPaths();  // while no thread is on one

// The lanes that a warp has: all 32 but for the last warp of a block.
uint32_t lanesOf(std::span<Thread> warp);

// The running thread's path goes on in a way that it did not the last time. May pause the thread.
void followPath(uint32_t code);
void followAccess(uint32_t code, const void* pc, Access kind);

// Called for the running thread by the hooks.
inline void enterBasicBlock(Thread& self, const void* pc) {
  const uint32_t code = codeOf(pc, CodeTag::basicBlock);
  if (*self.nextCode == code) [[likely]]
    ++self.nextCode;
  else
    followPath(code);
}

// The running thread comes to a barrier or a warp operation, or has returned.
inline void meetAt(Thread& self, const void* pc) {
  const uint32_t code = codeOf(pc, CodeTag::meeting);
  if (*self.nextCode == code) [[likely]]
    ++self.nextCode;
  else
    followPath(code);
}

}  // namespace simt
