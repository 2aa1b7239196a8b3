#include "simt/paths/plans.h"

#include <algorithm>
#include <utility>

namespace simt {

size_t PlanCache::Hash::operator()(const Paths& paths) const {
  uint64_t hash = paths.size();
  for (const uint32_t* path : paths)
    hash = (hash ^ reinterpret_cast<uintptr_t>(path)) * 0x9e3779b97f4a7c15u, hash ^= hash >> 32;
  return hash;
}

WarpPlan* PlanCache::find(const Paths& paths) {
  if (last_ && paths == lastPaths_) return last_;
  const auto it = plans_.find(paths);
  if (it == plans_.end()) return nullptr;
  lastPaths_ = paths;
  return last_ = it->second.get();
}

WarpPlan& PlanCache::add(const Paths& paths, WarpPlan plan) {
  constexpr size_t enough = 1 << 18;  // accesses in all plans together
  size_ += plan.accesses.size() + paths.size();
  if (size_ > enough) clear();
  return *(plans_[paths] = std::make_unique<WarpPlan>(std::move(plan)));
}

void PlanCache::clear() {
  plans_.clear();
  size_ = 0;
  last_ = nullptr;
  std::ranges::fill(uniform_, Uniform());
}

}  // namespace simt
