// What orders accesses of different threads beside barriers: fences and atomics. A release
// publishes what its thread did and saw; who acquires from the same address afterwards sees it.
#pragma once

#include <atomic>
#include <cstdint>
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

// Whether one moment comes before another. Where a thread has taken a lock, and no fence is between
// that and what it does next, they are ordered on the GPUs there are and nowhere else.
struct Ordering {
  bool ordered = false;
  const void* unfenced = nullptr;  // the atomic that took the lock, where only that orders them
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
  struct Acquiring {
    Scope scope;
    size_t mostReleases = SIZE_MAX;
    const void* takesLock = nullptr;  // the instruction, where a fence has to follow it
  };

  // All of them may be called from several OS threads.
  void release(const void* address, const Release& release);
  void acquire(const void* address, const Moment& moment, const Acquiring& acquiring);
  // How many of its releases there are so far: for an acquisition that a later fence makes.
  size_t releasesOf(const void* address);
  // A fence of this thread ends the epoch.
  void fenced(const Moment& moment);
  // The lanes of the mask in this warp (or, with allWarps, the whole block) met at the end of this
  // epoch: what one of them has acquired, all have.
  void met(uint32_t block, uint32_t epoch, uint32_t warp, uint32_t mask);
  static constexpr uint32_t allWarps = ~0u;

  // Whether releases and acquisitions order the earlier moment before the later one.
  Ordering order(const Moment& earlier, const Moment& later) const;
  bool ordered(const Moment& earlier, const Moment& later) const {
    return order(earlier, later).ordered;
  }

 private:
  struct Numbered {
    uint64_t serial;  // of all releases and acquisitions
    Release release;
  };
  struct Log {  // of one address
    std::vector<Numbered> releases;
    bool someOfBlock = false;  // some are for the threads of their block only
  };
  struct Acquisition {
    Log* log;
    size_t count;  // of its releases
    uint64_t serial;
    Moment moment;
    Scope scope;
    const void* takesLock;
    uint32_t fencedAt;  // the epoch that a fence or a meeting behind it ended
  };
  struct Meeting {
    uint32_t epoch, mask;
  };
  struct ReleasesSoFar {
    uint32_t epoch;  // the last one that they publish
    uint64_t serial;
  };
  // Each list is in the order of its epochs.
  struct BlockHistory {
    std::vector<Acquisition> acquisitions;
    std::unordered_map<uint32_t, std::vector<uint32_t>> byThread;  // their places above
    std::unordered_map<uint32_t, std::vector<Meeting>> byWarp;
    std::vector<uint32_t> barriers;  // epochs
    std::vector<ReleasesSoFar> released;
  };
  class Search;

  static void fencedBy(BlockHistory& history, uint32_t thread, uint32_t epoch);

  mutable std::mutex mutex_;
  std::atomic<bool> used_ = false;  // any release yet: most kernels have none
  bool someLocks_ = false;
  uint64_t serial_ = 0;
  std::unordered_map<const void*, Log> logs_;
  std::unordered_map<uint32_t, BlockHistory> histories_;
};

}  // namespace simt
