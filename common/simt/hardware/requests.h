// Requests: the lanes of a warp that execute a memory instruction together, and what they cost.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/hardware/memory_units.h"

namespace simt {

enum class Access : uint8_t { load, store, atomic };

// An access of one lane, packed: its address, and how many bytes it touches.
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

// What these lanes, one at least, cost together. Accesses are packed, 32; those of other lanes are
// not looked at.

// Whether all 32 lanes take part, and each one's bytes follow those of the lane before.
bool isContiguous(uint32_t lanes, const uint64_t* accesses);

// To global memory: the sectors that they touch.
unsigned sectorsOf(uint32_t lanes, const uint64_t* accesses);

// To shared memory: how many lanes are served together, at accesses of so many bytes; of 8 and 16
// twice as many where each two neighbours want the same, or each two that are two apart (both
// counted on an H200, 88 patterns of loads). Places are addresses, or accesses of one size.
unsigned lanesServedTogether(uint32_t lanes, const uint64_t* places, size_t bytes);
// The passes through the banks beyond the fewest, which is one for those that are served together;
// lanes that read the same word share it. If asked for, also the pass that serves each lane, from
// 1: what is served later has the higher numbers.
unsigned bankConflictsOf(uint32_t lanes, const uint64_t* accesses, unsigned* passes = nullptr);

// Of an atomic: the lanes that update the address that most of them update, beyond one: they take
// turns.
unsigned atomicConflictsOf(uint32_t lanes, const uint64_t* accesses);

}  // namespace simt
