// Of a grid of which some blocks run (Settings::sample): what the others would have added to
// counters in global memory. Where every block that has run added the same to a whole number by
// atomics, each that is left out adds it, too: a block that asks whether it is the last is told so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt {

// An atomic operation of the running block changed a whole number of 1 to 8 bytes. One that does
// not add says that it is no counter.
void noteForLeftOut(void* address, size_t bytes, uint64_t before, uint64_t after, bool adds);

// The block of this number is next: those that are left out before it add their share.
void countLeftOutBefore(uint64_t number);

// A launch begins.
void forgetLeftOut();

}  // namespace simt
