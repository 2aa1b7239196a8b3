#include "simt/find/sync_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace simt {

namespace {

constexpr uint32_t never = UINT32_MAX;

bool covers(const SyncOrder::Release& release, const Moment& moment) {
  if (release.moment.block != moment.block) return false;
  if (moment.epoch <= release.barrierEpoch) return true;
  if (release.moment.thread == moment.thread) return moment.epoch <= release.moment.epoch;
  return release.moment.thread / warpWidth == moment.thread / warpWidth &&
         moment.epoch <= release.known[moment.thread % warpWidth];
}

}  // namespace

void SyncOrder::release(const void* address, const Release& release) {
  const std::scoped_lock lock(mutex_);
  used_ = true;
  Log& log = logs_[address];
  const Moment& moment = release.moment;
  // A thread that publishes the same again (in a loop that waits, say) adds nothing.
  if (!log.releases.empty()) {
    const Moment& last = log.releases.back().release.moment;
    if (last.block == moment.block && last.thread == moment.thread && last.epoch == moment.epoch)
      return;
  }
  log.releases.push_back({++serial_, release});
  log.someOfBlock = log.someOfBlock || release.scope == Scope::block;
  std::vector<ReleasesSoFar>& all = histories_[moment.block].released;
  const uint32_t published = std::max(moment.epoch, release.barrierEpoch);
  if (all.empty() || all.back().epoch < published) all.push_back({published, serial_});
}

size_t SyncOrder::releasesOf(const void* address) {
  if (!used_) return 0;
  const std::scoped_lock lock(mutex_);
  const auto it = logs_.find(address);
  return it == logs_.end() ? 0 : it->second.releases.size();
}

void SyncOrder::acquire(const void* address, const Moment& moment, const Acquiring& acquiring) {
  if (!used_) return;
  const std::scoped_lock lock(mutex_);
  const auto it = logs_.find(address);
  if (it == logs_.end()) return;
  Log& log = it->second;
  const size_t count = std::min(acquiring.mostReleases, log.releases.size());
  BlockHistory& history = histories_[moment.block];
  std::vector<uint32_t>& own = history.byThread[moment.thread];
  constexpr size_t lately = 8;  // of a thread that asks the same again and again
  for (size_t i = own.size(); i > 0 && i + lately > own.size(); --i) {
    const Acquisition& known = history.acquisitions[own[i - 1]];
    if (known.log == &log && known.count == count && known.takesLock == acquiring.takesLock) return;
  }
  own.push_back(uint32_t(history.acquisitions.size()));
  history.acquisitions.push_back({&log, count, ++serial_, moment, acquiring.scope,
                                  acquiring.takesLock, acquiring.takesLock ? never : 0});
  someLocks_ = someLocks_ || acquiring.takesLock;
}

// The thread's locks that no fence followed are followed by one now.
void SyncOrder::fencedBy(BlockHistory& history, uint32_t thread, uint32_t epoch) {
  const auto own = history.byThread.find(thread);
  if (own == history.byThread.end()) return;
  for (size_t i = own->second.size(); i > 0; --i) {
    Acquisition& a = history.acquisitions[own->second[i - 1]];
    if (a.fencedAt == never)
      a.fencedAt = epoch;
    else if (a.takesLock)
      return;
  }
}

void SyncOrder::fenced(const Moment& moment) {
  if (!used_) return;
  const std::scoped_lock lock(mutex_);
  const auto it = histories_.find(moment.block);
  if (it != histories_.end()) fencedBy(it->second, moment.thread, moment.epoch);
}

void SyncOrder::met(uint32_t block, uint32_t epoch, uint32_t warp, uint32_t mask) {
  if (!used_) return;
  const std::scoped_lock lock(mutex_);
  const auto it = histories_.find(block);
  if (it == histories_.end() || it->second.acquisitions.empty()) return;
  BlockHistory& history = it->second;
  if (warp != allWarps) {
    history.byWarp[warp].push_back({epoch, mask});
    for (uint32_t lane = 0; lane < warpWidth; ++lane)
      if (mask >> lane & 1) fencedBy(history, warp * warpWidth + lane, epoch);
    return;
  }
  history.barriers.push_back(epoch);
  for (const auto& own : history.byThread) fencedBy(history, own.first, epoch);
}

// Backwards from the later moment, through acquisitions to the releases that they saw, and on from
// there: each thread's past and each address's releases are gone through once. What was released
// before the earlier moment's block has published it cannot lead there.
class SyncOrder::Search {
 public:
  Search(const SyncOrder& all, const Moment& earlier, const Moment& later, bool unfencedToo)
      : all_(all), earlier_(earlier), later_(later), unfencedToo_(unfencedToo) {}

  const void* lock() const { return lock_; }

  bool finds() {
    const auto history = all_.histories_.find(earlier_.block);
    if (history == all_.histories_.end()) return false;
    const std::vector<ReleasesSoFar>& released = history->second.released;
    const auto first =
        std::ranges::lower_bound(released, earlier_.epoch, {}, &ReleasesSoFar::epoch);
    if (first == released.end()) return false;
    oldest_ = first->serial;
    open_.push_back(later_);
    while (!open_.empty()) {
      const Moment next = open_.back();
      open_.pop_back();
      const auto known = all_.histories_.find(next.block);
      if (known != all_.histories_.end() && goThrough(known->second, next)) return true;
    }
    return false;
  }

 private:
  static constexpr uint32_t wholeBlock = ~0u;

  // From where on the past of this thread, up to the epoch, is new: then it is not any more.
  uint32_t newSince(uint32_t block, uint32_t thread, uint32_t epoch) {
    uint32_t& seen = seen_[{block, thread}];
    const uint32_t since = seen;
    seen = std::max(seen, epoch);
    return since;
  }

  // What the thread has acquired before this moment, and whom it has met.
  bool goThrough(const BlockHistory& history, const Moment& now) {
    const uint32_t since = newSince(now.block, now.thread, now.epoch);
    if (since >= now.epoch) return false;
    if (const auto own = history.byThread.find(now.thread); own != history.byThread.end())
      for (size_t i = own->second.size(); i > 0; --i) {
        const Acquisition& a = history.acquisitions[own->second[i - 1]];
        if (a.serial < oldest_) break;
        const bool isNew = a.moment.epoch >= since || a.fencedAt >= since;
        if (isNew && a.moment.epoch < now.epoch && follow(a, now)) return true;
      }
    if (const auto warp = history.byWarp.find(now.thread / warpWidth); warp != history.byWarp.end())
      for (size_t i = warp->second.size(); i > 0; --i) {
        const Meeting& m = warp->second[i - 1];
        if (m.epoch < since) break;
        if (m.epoch >= now.epoch || !(m.mask >> now.thread % warpWidth & 1)) continue;
        for (uint32_t lane = 0; lane < warpWidth; ++lane)
          if (m.mask >> lane & 1)
            add({now.block, now.thread / warpWidth * warpWidth + lane, m.epoch + 1});
      }
    const auto barrier = std::ranges::lower_bound(history.barriers, now.epoch);
    if (barrier == history.barriers.begin()) return false;
    return goThroughAll(history, now.block, barrier[-1]);
  }

  // What all threads of a block had acquired when they met.
  bool goThroughAll(const BlockHistory& history, uint32_t block, uint32_t barrier) {
    const Moment then{block, wholeBlock, barrier + 1};
    const uint32_t since = newSince(block, wholeBlock, then.epoch);
    if (since >= then.epoch) return false;
    for (size_t i = history.acquisitions.size(); i > 0; --i) {
      const Acquisition& a = history.acquisitions[i - 1];
      if (a.moment.epoch < since || a.serial < oldest_) break;
      if (a.moment.epoch < then.epoch && follow(a, then)) return true;
    }
    return false;
  }

  // To the releases that an acquisition saw.
  bool follow(const Acquisition& a, const Moment& now) {
    const bool unfenced = a.fencedAt >= now.epoch;
    if (unfenced) {
      if (!unfencedToo_ || now.block != later_.block || now.thread != later_.thread) return false;
      lock_ = a.takesLock;
    }
    const bool deviceWide = a.scope == Scope::device && !a.log->someOfBlock;
    size_t& seen = releasesSeen_[{a.log, deviceWide ? 0 : now.block, a.scope}];
    for (size_t i = a.count; i > seen; --i) {
      const auto& [serial, release] = a.log->releases[i - 1];
      if (serial < oldest_) break;
      if (release.moment.block != now.block &&
          (release.scope == Scope::block || a.scope == Scope::block))
        continue;
      if (covers(release, earlier_)) return true;
      const uint32_t published = std::max(release.moment.epoch, release.barrierEpoch);
      add({release.moment.block, release.moment.thread, published + 1});
    }
    seen = std::max(seen, a.count);
    return false;
  }

  void add(const Moment& moment) {
    const auto known = seen_.find({moment.block, moment.thread});
    if (known == seen_.end() || known->second < moment.epoch) open_.push_back(moment);
  }

  const SyncOrder& all_;
  const Moment earlier_, later_;
  const bool unfencedToo_;
  const void* lock_ = nullptr;
  uint64_t oldest_ = 0;  // serial number
  std::vector<Moment> open_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> seen_;
  std::map<std::tuple<const Log*, uint32_t, Scope>, size_t> releasesSeen_;
};

Ordering SyncOrder::order(const Moment& earlier, const Moment& later) const {
  if (!used_) return {};
  const std::scoped_lock lock(mutex_);
  if (Search(*this, earlier, later, false).finds()) return {true, nullptr};
  Search search(*this, earlier, later, true);
  if (!someLocks_ || !search.finds()) return {};
  return {true, search.lock()};
}

}  // namespace simt
