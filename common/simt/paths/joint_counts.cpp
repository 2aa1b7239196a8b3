#include "simt/paths/joint_counts.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "simt/paths/count_request.h"
#include "simt/paths/merged_requests.h"
#include "simt/paths/path_block.h"

namespace simt {

static Request requestOf(const JointAccess& joint, const uint64_t* accesses) {
  const AccessSite& site = joint.site ? *joint.site : runningPaths().paths.site(joint.code);
  return {site.pc, site.kind, joint.lanes, accesses};
}

// The loads of these that were not looked up for races yet.
static void lookUpLoads(unsigned warp, const JointAccess& joint, Request request) {
  PathBlock& block = runningPaths();
  if (request.kind != Access::load) return;
  if (block.logs[warp].someChecked)
    for (uint32_t left = joint.lanes; left != 0; left &= left - 1) {
      const auto lane = unsigned(std::countr_zero(left));
      if (joint.index[lane] < block.threads[warp * warpWidth + lane].checkedRows)
        request.lanes &= ~(1u << lane);
    }
  if (request.lanes == 0) return;
  for (Observer* const observer : block.observers) observer->loads(warp, request);
}

static void tell(unsigned warp, const Request& request) {
  for (Observer* const observer : runningPaths().observers) observer->requests(warp, request);
}

// The accesses that continue the first one's basic block.
std::span<const JointAccess> firstBlock(std::span<const JointAccess> accesses) {
  size_t size = 1;
  while (size < accesses.size() && accesses[size].continues) ++size;
  return accesses.first(size);
}

void countBlock(unsigned warp, std::span<const JointAccess> accesses, const Gather& gather,
                bool looksUpLoads) {
  uint64_t place[warpWidth];
  looksUpLoads = looksUpLoads && runningPaths().tellsLoads;
  if (accesses.size() == 1) {
    const Request request = requestOf(accesses[0], gather(accesses[0], place));
    if (looksUpLoads) lookUpLoads(warp, accesses[0], request);
    return tell(warp, request);
  }
  std::vector<KeptRequest>& kept = runningPaths().kept;
  kept.resize(accesses.size());
  bool objects = false;
  for (size_t i = 0; i < accesses.size(); ++i) {
    kept[i].request = requestOf(accesses[i], gather(accesses[i], kept[i].accesses));
    if (looksUpLoads) lookUpLoads(warp, accesses[i], kept[i].request);
    for (size_t k = i - std::min<size_t>(i, 8); k < i && !objects; ++k)
      objects = maybeOneObject(kept[k].request, kept[i].request);
  }
  if (!objects) {
    for (const KeptRequest& one : kept) tell(warp, one.request);
    return;
  }
  PathBlock& block = runningPaths();
  for (KeptRequest& one : kept) {
    if (one.request.accesses != one.accesses)
      std::copy_n(one.request.accesses, warpWidth, one.accesses);
    for (Observer* const observer : block.observers)
      if (observer->takeValues(warp, one.request.lanes, one.values))
        one.request.values = one.values;
  }
  mergeRequests(kept, [&](const Request& request) { tell(warp, request); });
}

}  // namespace simt
