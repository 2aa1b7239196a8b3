// Requests: the lanes of a warp that execute a memory instruction together, and what they cost.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/observe/counters.h"
#include "simt/run/access.h"
#include "simt/threads/thread.h"

namespace simt {

// An access as a warp's log holds it: its address, and how many bytes it touches.
constexpr unsigned addressBits = 48;
inline uint64_t packAccess(uintptr_t address, size_t size) {
  return uint64_t(size) << addressBits | address;
}
inline uintptr_t addressOf(uint64_t access) { return access & ((uint64_t(1) << addressBits) - 1); }
inline uint32_t sizeOf(uint64_t access) { return uint32_t(access >> addressBits); }

// Some lanes of one warp execute one instruction together.
struct Request {
  const void* pc = nullptr;
  Access kind = Access::load;
  uint32_t lanes = 0;
  const uint64_t* accesses = nullptr;  // packed, one for each of the 32 lanes
  const uint64_t* values = nullptr;    // likewise, where a trace has been asked for them already
};

// Adds what the request costs.
void countRequest(const Request& request, Counters& counters);

}  // namespace simt
