// What orders accesses of different threads beside barriers: fences and atomics. A release
// publishes what its thread did and saw; who acquires from the same address afterwards sees it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simt/device/primitives.h"
#include "simt/threads/thread.h"

namespace simt {

// A moment of a thread of a launch: epochs count upwards while a block runs.
struct Moment {
  uint32_t block, thread, epoch;
};

class SyncOrder {
 public:
  // The accesses of a block that a release publishes: those of its thread up to an epoch, those of
  // the lanes it was synchronised with, and those of all threads before a block barrier.
  struct Release {
    Moment moment;
    uint32_t barrierEpoch;
    uint32_t known[warpWidth];
    Scope scope;
  };

  void clear();
  // Both may be called from several OS threads.
  void release(const void* address, const Release& release);
  void acquire(const void* address, const Moment& moment, Scope scope,
               size_t mostReleases = SIZE_MAX);
  // How many of its releases there are so far: for an acquisition that a later fence makes.
  size_t releasesOf(const void* address);
  // The lanes of the mask in this warp (or, with allWarps, the whole block) met at the end of this
  // epoch: what one of them has acquired, all have.
  void met(uint32_t block, uint32_t epoch, uint32_t warp, uint32_t mask);
  static constexpr uint32_t allWarps = ~0u;

  // Whether releases and acquisitions order the earlier moment before the later one.
  bool ordered(const Moment& earlier, const Moment& later) const;

 private:
  struct Log {  // of one address
    std::vector<Release> releases;
    std::unordered_map<uint32_t, std::vector<uint32_t>> byBlock;  // their places above
  };
  struct Acquisition {
    const Log* log;
    size_t count;  // of its releases
    Moment moment;
    Scope scope;
  };
  struct Meeting {
    uint32_t epoch, warp, mask;
  };
  struct BlockHistory {
    std::vector<Acquisition> acquisitions;
    std::vector<Meeting> meetings;  // since the first acquisition
  };

  bool reaches(const Acquisition& acquisition, const BlockHistory& history,
               const Moment& later) const;
  bool orderedWithin(const Moment& earlier, const Moment& later, unsigned depth) const;

  mutable std::mutex mutex_;
  std::atomic<bool> used_ = false;  // any release yet: most kernels have none
  std::map<const void*, Log> logs_;
  std::unordered_map<uint32_t, BlockHistory> histories_;
};

extern SyncOrder syncOrder;  // of the running launch

}  // namespace simt
