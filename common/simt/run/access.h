// Every access of a kernel to memory comes through here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/device/primitives.h"
#include "simt/hardware/requests.h"

namespace simt {

struct Thread;

// The running thread is about to access size bytes; pc is the instruction. Looks for faults now,
// and writes the access down: it is counted when the warp's lanes meet. A scope belongs to an
// atomic.
// An atomic that is a store finds no use for what was there.
void access(const void* address, size_t size, Access kind, const void* pc,
            Scope scope = Scope::device, bool mayBeUnwritten = false);
// The same for a load or store of a number by code that is instrumented.
template <unsigned size, Access kind>
void accessNumber(Thread& self, uintptr_t address, const void* pc);
// The same for a copy or fill of a whole object: a sequence of accesses of one word each. What is
// loaded may be padding that nobody has written.
void accessRange(const void* begin, size_t size, Access kind, const void* pc);

}  // namespace simt
