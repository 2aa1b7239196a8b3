#include "simt/find/sync_order.h"

#include <algorithm>

namespace simt {

SyncOrder syncOrder;

namespace {

bool covers(const SyncOrder::Release& release, const Moment& moment) {
  if (release.moment.block != moment.block) return false;
  if (moment.epoch <= release.barrierEpoch) return true;
  if (release.moment.thread == moment.thread) return moment.epoch <= release.moment.epoch;
  return release.moment.thread / warpWidth == moment.thread / warpWidth &&
         moment.epoch <= release.known[moment.thread % warpWidth];
}

}  // namespace

void SyncOrder::clear() {
  const std::scoped_lock lock(mutex_);
  used_ = false;
  logs_.clear();
  histories_.clear();
}

void SyncOrder::release(const void* address, const Release& release) {
  const std::scoped_lock lock(mutex_);
  used_ = true;
  Log& log = logs_[address];
  std::vector<uint32_t>& own = log.byBlock[release.moment.block];
  // A thread that publishes the same again (in a loop that waits, say) adds nothing.
  if (!own.empty()) {
    const Release& last = log.releases[own.back()];
    if (last.moment.thread == release.moment.thread && last.moment.epoch == release.moment.epoch)
      return;
  }
  own.push_back(uint32_t(log.releases.size()));
  log.releases.push_back(release);
}

size_t SyncOrder::releasesOf(const void* address) {
  if (!used_) return 0;
  const std::scoped_lock lock(mutex_);
  const auto it = logs_.find(address);
  return it == logs_.end() ? 0 : it->second.releases.size();
}

void SyncOrder::acquire(const void* address, const Moment& moment, Scope scope,
                        size_t mostReleases) {
  if (!used_) return;
  const std::scoped_lock lock(mutex_);
  const auto it = logs_.find(address);
  if (it == logs_.end()) return;
  const Log& log = it->second;
  const size_t count = std::min(mostReleases, log.releases.size());
  BlockHistory& history = histories_[moment.block];
  for (const Acquisition& a : history.acquisitions)
    if (a.log == &log && a.count == count && a.moment.thread == moment.thread) return;
  history.acquisitions.push_back({&log, count, moment, scope});
}

void SyncOrder::met(uint32_t block, uint32_t epoch, uint32_t warp, uint32_t mask) {
  if (!used_) return;
  const std::scoped_lock lock(mutex_);
  const auto it = histories_.find(block);
  if (it != histories_.end()) it->second.meetings.push_back({epoch, warp, mask});
}

// Whether what was acquired then is known to the thread of a later moment of the same block: it is
// the same thread, or they have met.
bool SyncOrder::reaches(const Acquisition& acquisition, const BlockHistory& history,
                        const Moment& later) const {
  const Moment& at = acquisition.moment;
  if (at.thread == later.thread) return at.epoch < later.epoch;
  for (const Meeting& m : history.meetings) {
    if (m.epoch < at.epoch || m.epoch >= later.epoch) continue;
    if (m.warp == allWarps) return true;
    const auto takesPart = [&](uint32_t thread) {
      return thread / warpWidth == m.warp && (m.mask >> (thread % warpWidth) & 1);
    };
    if (takesPart(at.thread) && takesPart(later.thread)) return true;
  }
  return false;
}

bool SyncOrder::orderedWithin(const Moment& earlier, const Moment& later, unsigned depth) const {
  const auto history = histories_.find(later.block);
  if (history == histories_.end()) return false;
  for (const Acquisition& a : history->second.acquisitions) {
    if (!reaches(a, history->second, later)) continue;
    const auto inScope = [&](const Release& r) {
      return r.moment.block == later.block ||
             (r.scope == Scope::device && a.scope == Scope::device);
    };
    if (const auto own = a.log->byBlock.find(earlier.block); own != a.log->byBlock.end())
      for (const uint32_t i : own->second)
        if (i < a.count && inScope(a.log->releases[i]) && covers(a.log->releases[i], earlier))
          return true;
    // Through a thread that itself had acquired it before it released.
    for (size_t i = a.count; depth > 0 && i > 0 && i + 8 > a.count; --i) {
      const Release& r = a.log->releases[i - 1];
      if (!inScope(r)) continue;
      const Moment then{r.moment.block, r.moment.thread, r.moment.epoch + 1};
      if (orderedWithin(earlier, then, depth - 1)) return true;
    }
  }
  return false;
}

bool SyncOrder::ordered(const Moment& earlier, const Moment& later) const {
  if (!used_) return false;
  const std::scoped_lock lock(mutex_);
  return !histories_.empty() && orderedWithin(earlier, later, 3);
}

}  // namespace simt
