// The pieces in which a GPU handles threads and memory.
#pragma once

#include <cstdint>

namespace simt {

constexpr unsigned warpWidth = 32;      // threads of a warp
constexpr uintptr_t wordBytes = 4;      // what a bank of shared memory hands out in a pass
constexpr unsigned sharedBanks = 32;    // a word is in bank (address / wordBytes) % sharedBanks
constexpr uintptr_t sectorBytes = 32;   // the least of global memory that is moved
constexpr uintptr_t lineBytes = 128;    // four sectors, which a cache holds under one name
constexpr uintptr_t widestAccess = 16;  // bytes of one thread's load or store

}  // namespace simt
