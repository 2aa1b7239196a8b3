// Counts what lanes of a warp do together, or lists it where a trace is asked for.
#pragma once

#include <functional>
#include <span>

#include "simt/paths/lockstep.h"

namespace simt {

// The packed addresses of an access, 32; may put them into the place that it is handed.
using Gather = std::function<const uint64_t*(const JointAccess&, uint64_t* place)>;

// The accesses that continue the first one's basic block, and it.
std::span<const JointAccess> firstBlock(std::span<const JointAccess> accesses);

// The accesses that lanes of this warp make together in one basic block. Looks loads up, too, if
// they were not (deferred_loads.h).
void countBlock(unsigned warp, std::span<const JointAccess> accesses, const Gather& gather,
                bool looksUpLoads);

}  // namespace simt
