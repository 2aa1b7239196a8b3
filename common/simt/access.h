// Every access of a kernel to memory comes through here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

enum class Access : uint8_t { load, store, atomic };

// The running thread is about to access size bytes; pc is the instruction. Looks for faults now and
// writes the access down: it is counted when the warp's lanes meet.
void access(const void* address, size_t size, Access kind, const void* pc);

// Arrays or the arguments of the kernel are others than before.
void forgetRecentRanges();

void beginBlock();  // before the first thread of a block runs
void blockMet();    // all threads passed a block barrier, or ended

}  // namespace simt
