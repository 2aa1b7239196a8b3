// Every access of a kernel to memory comes through here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

enum class Access : uint8_t { load, store, atomic };

// The running thread is about to access size bytes; pc is the instruction. Checks bounds and looks
// for faults, then counts the access.
void access(const void* address, size_t size, Access kind, const void* pc);

void beginBlock();            // before the first thread of a block runs
void blockMet();              // all threads passed a block barrier, or ended
void warpMet(unsigned warp);  // all lanes of a warp passed a warp operation together

}  // namespace simt
