// Threads that wait in a loop: others get their turn, and a loop that can never end is found.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/threads/thread.h"

namespace simt {

// Something has changed that another thread of the block may be waiting for.
void noteProgress();
// The same of other blocks, too.
void noteChange();

// The running thread is about to change this memory: plainly, or by an atomic, which may leave it
// as it is.
void noteStore(uintptr_t address, size_t size, bool plain);

// An atomic at this instruction is done. A thread that repeats one without effect ends its turn.
void noteAtomic(const void* pc, const void* address, bool changed);

// The running thread asks for something that others may change: a clock, what a fence is for.
void noteWaiting();

// The running thread has come far without waiting for anybody, and lets others run.
void noteLongTurn();

// The threads of the block are about to pass a barrier, at which this one waits.
void noteBarrier(const Thread& waiting);

}  // namespace simt
