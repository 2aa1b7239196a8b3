// Loops that can be known to never end: where everything that the threads of a block can see is as
// it was before (their registers and stacks, and all memory that they wrote since), they do the
// same again, for ever.
//
// It is asked in windows: of a block that goes on and on, a few rounds now and then, more of them
// the longer it takes. A round ends when no thread can go on before others have waited: at a
// barrier, a warp operation, or with a full log. A block of several may wait for another one: then
// these run, and it is asked of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simt/threads/thread.h"

namespace simt {

struct SearchedBlock;
struct Fault;

// A block begins.
void beginRounds();

// The running block goes on: a barrier or a warp operation counts as one. May open a window.
void noteRounds(uint64_t weight);
constexpr uint64_t roundOfLongTurns = 256;  // as many as that

// No thread can go on by itself. Where all is as it was before, ends the launch or, where there are
// other blocks, lets them run: see Block::waitsForBlocks.
void endRound();

// The same for blocks that run side by side, each time that all of them have had a turn. None of
// them runs, and their shared memory is put aside.
struct BlockAside {
  SearchedBlock* block;
  const std::vector<char>* sharedMemory;
};
// Whether what they do now they will do for ever. The weight is that of noteRounds().
bool endJointRound(std::span<const BlockAside> blocks, uint64_t weight);
constexpr uint64_t roundOfTurns = 1024;  // of blocks that wait for each other without barriers
// What to say of it.
Fault repetitionOf(std::span<const BlockAside> blocks);

// A kernel's thread is about to wait: called on its stack, from a function that the kernel called
// and whose return address has these lowest bits (of a path's code, paths.h).
void rememberStop(Thread& self, uint32_t code);
// The same, where it has left these registers at the top of its stack.
void rememberStop(Thread& self, const void* top);

// The running thread may write this memory now.
void rememberMemory(uintptr_t address, size_t size);

// What is not seen may be different the next time: a clock, the heap.
void closeWindows();
// The running block gives its turn away: others may change something.
void closeWindowOfBlock();

}  // namespace simt
