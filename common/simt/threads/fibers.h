// The fibers that the CUDA threads of a block are: whose turn it is.
#pragma once

#include "simt/threads/thread_block.h"

namespace simt {

// Makes sure that each thread of the block has a fiber that waits for its turn.
void startFibers(ThreadBlock& block);

// Called by the scheduler: lets the thread run, and all those that it hands over to, until one of
// them hands back.
void resume(Thread& thread);

// Called by the running thread, which waits for something: hands over to the next that can run, or
// back to the scheduler where there is none or it has something to do.
void suspend(bool toScheduler = false);

// Called by the running thread, with which the launch ends: to the scheduler, and never back.
[[noreturn]] void leaveForGood();

}  // namespace simt
