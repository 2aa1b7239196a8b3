// What is learnt of blocks without listing what they do: how much it is, and which may do most.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "estimate/gpu_code/lanes.h"
#include "estimate/gpu_code/launched.h"
#include "estimate/gpu_code/machine.h"

namespace estimate::gpu_code {

// How much each block does.
struct WorkCounter : Listener {
  std::vector<BlockWork> all;
  std::vector<uint64_t> warps;
  void blockBegins(uint64_t, unsigned count) override { warps.assign(count, 0); }
  void executed(unsigned warp, const Step&) override { ++warps[warp]; }
  void passedBy(unsigned, const Function&, const BasicBlock&) override {}
  void blockEnds() override {
    all.push_back({std::accumulate(warps.begin(), warps.end(), uint64_t(0)),
                   *std::ranges::max_element(warps)});
  }
};

// Of each comparison of whole numbers that warps come to, the block where these differ most.
class FurthestApart : public Listener {
 public:
  void blockBegins(uint64_t number, unsigned) override { number_ = number; }
  void executed(unsigned, const Step& step) override {
    const Instruction& i = *step.instruction;
    if (i.op != Op::setp || isFloat(i.type)) return;
    const uint64_t its = bytesOf(i.type) == 8   ? apart<int64_t>(step)
                         : bytesOf(i.type) == 4 ? apart<int32_t>(step)
                                                : 0;
    Most& most = most_[&i];
    if (its > most.apart) most = {its, number_};
  }
  void passedBy(unsigned, const Function&, const BasicBlock&) override {}
  void blockEnds() override {}
  std::vector<uint64_t> blocks() const {
    std::set<uint64_t> all;
    for (const auto& [comparison, most] : most_) all.insert(most.block);
    return {all.begin(), all.end()};
  }

 private:
  struct Most {
    uint64_t apart = 0, block = 0;
  };
  template <typename T>
  static uint64_t apart(const Step& step) {
    const T* a = step.warp->from<T>(step.instruction->from_[0], 0);
    const T* b = step.warp->from<T>(step.instruction->from_[1], 1);
    uint64_t most = 0;
    forLanes(step.lanes, [&](unsigned l) {
      most = std::max(
          most, a[l] < b[l] ? uint64_t(b[l]) - uint64_t(a[l]) : uint64_t(a[l]) - uint64_t(b[l]));
    });
    return most;
  }

  std::map<const Instruction*, Most> most_;
  uint64_t number_ = 0;
};

}  // namespace estimate::gpu_code
