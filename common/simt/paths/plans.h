// What lanes do together on paths that were taken before.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simt/paths/lockstep.h"

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

}  // namespace simt
