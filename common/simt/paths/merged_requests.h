// What a GPU's compiler makes one instruction of: accesses of a basic block to members of one
// object that lie side by side, where the object's type is aligned enough.
#pragma once

#include <functional>
#include <vector>

#include "simt/hardware/requests.h"

namespace simt {

// A request that is kept for a while, with its addresses and, for a trace, its values.
struct KeptRequest {
  Request request;
  uint64_t accesses[warpWidth] = {};
  uint64_t values[warpWidth] = {};
};

// Whether these two may be parts of one request, as far as a look at one lane tells. Cheap.
bool maybeOneObject(const Request& first, const Request& second);

// The requests of one basic block in the order of the program: passes them on, merged where nvcc
// merges. As it does: a load may be wider than its parts at the end, but has no gaps; nothing moves
// across a store (or, for stores, a load) of other memory in the same space; a merged access has 2,
// 4, 8 or 16 bytes, starts at a multiple of that within the object, and its parts have equal sizes.
void mergeRequests(std::vector<KeptRequest>& requests,
                   const std::function<void(const Request&)>& emit);

}  // namespace simt
