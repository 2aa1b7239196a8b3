// Loops that can be known to never end: where everything that the threads of a block can see is as
// it was before (their registers and stacks, and all memory that they wrote since), they do the
// same again, for ever.
//
// It is asked in windows: of a block that goes on and on, a few rounds now and then, more of them
// the longer it takes. A round ends when no thread can go on before others have waited: at a
// barrier, a warp operation, or with a full log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simt/thread.h"

namespace simt {

struct Block;

// Whether a window is open.
extern constinit bool watchesStates;

// A block begins.
void beginRounds();

// The running block goes on: a barrier or a warp operation counts as one. May open a window.
void noteRounds(uint64_t weight);
constexpr uint64_t roundOfLongTurns = 256;  // as many as that

// No thread can go on by itself. Ends the launch where all is as it was before.
void endRound();

// The same for the blocks of a cooperative launch, each time that all wait at a barrier of the
// grid: whether that will be so for ever.
void beginGridRounds();
bool endGridRound(std::span<Block* const> blocks);

// A kernel's thread is about to wait: called on its stack, from a function that the kernel called
// and whose return address has these lowest bits (of a path's code, paths.h).
void rememberStop(Thread& self, uint32_t code);
// The same, where it has left these registers at the top of its stack.
void rememberStop(Thread& self, const void* top);

// The running thread may write this memory now.
void rememberMemory(uintptr_t address, size_t size);

// What is not seen may be different the next time: a clock, the heap.
void closeWindow();
// Other blocks may have changed something.
void closeWindowOfBlock();

}  // namespace simt
