// The blocks of one launch on several cores. Copies of this process run some blocks each and work
// on one copy of the arrays. Where a block may have seen what another did, all of that is dropped,
// and the blocks run one after the other: results, counts and faults never depend on the number of
// cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "simt/hardware/requests.h"

namespace simt {

struct Array;

// What a block did to a word of an array, byte by byte: four bits for writes, four for reads.
using Touched = uint8_t;
constexpr Touched touchedByWrite = 0x0f;

// How many processes a launch of so many blocks may use: Settings::workers, or the cores there are.
unsigned workersFor(uint64_t blocks);

// Runs these blocks, in this order within each process, and calls ended with how many have. False:
// nothing has happened, and they are to run here.
bool runInCopies(std::span<const uint64_t> blocks, unsigned workers,
                 const std::function<void(uint64_t block)>& runOne,
                 const std::function<void(uint64_t blocks)>& ended);

// In such a copy: what others would have to know has happened. Elsewhere it does nothing.
void giveUpCopy();
bool isInCopy();

// In such a copy: the running block accesses an array that all copies share, or another.
void noteTouched(Touched* touched, uintptr_t offset, size_t size, Access kind);
void noteUnshared(Access kind);

}  // namespace simt
