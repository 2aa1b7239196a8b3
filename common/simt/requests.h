// Requests: the lanes of a warp that execute a memory instruction together, and what they cost.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/thread.h"

namespace simt {

// A site is an instruction and what it does: the same instruction may touch two kinds of memory.
enum SiteKind : uintptr_t { globalLoad, globalStore, sharedLoad, sharedStore, atomicUpdate };

struct Request {
  uint32_t lanes = 0;
  uint32_t size = 0;
  uintptr_t address[warpWidth];
};
// What one warp did at one site since its lanes last met: an entry for each turn, which is how
// often a lane had been there before.
struct SiteLog {
  SiteKind kind{};
  bool open = false;
  uint32_t turns[warpWidth] = {};  // of each lane
  std::vector<Request> requests;
  size_t used = 0;
};
struct WarpRequests {
  std::vector<SiteLog> logs;  // by site
  std::vector<uint32_t> open;
};

void recordRequest(const Thread& self, uintptr_t address, size_t size, SiteKind kind,
                   const void* pc);

// Counts what the warp did since its lanes last met, or forgets what a fault has cut short.
void closeRequests(unsigned warp, bool counted);

}  // namespace simt
