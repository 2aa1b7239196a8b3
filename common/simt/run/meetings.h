// Threads that wait for each other.
#pragma once

#include <string>
#include <vector>

#include "simt/find/fault.h"
#include "simt/threads/thread.h"

namespace simt {

// A thread of the kernel waits here until the executor has its result.
uint64_t wait(State state, const void* pc);

// A thread of the kernel comes to a block barrier, at this place of its code.
int passBarrier(int predicate, int mode, int place, const void* pc);

// The running thread's log is full: it waits until its warp's other lanes have come as far.
// It comes to this code of its path then.
void pause(uint32_t code);

// The running thread's kernel has returned. Whether the scheduler has something to do now.
bool finishThread();

// Whether with this thread all lanes may have come that its warp operation's mask names.
bool arrive(const Thread& thread);

// When every lane that the last arrival's mask names has come, computes the results and lets the
// lanes go on.
void tryWarpOperation(const Thread& arrival);

// Lets lanes go on that wait in __activemask() while their warp can do nothing else. False when
// there are none.
bool releaseActiveMasks();

// Lets every thread of the block go on from __syncthreads when all that still run wait at the same.
bool releaseBlock();

// A thread waits for ever for others at a barrier of some threads.
Fault partNeverOver(const Thread& waiting);

void blockMet();  // all threads passed a block barrier, or ended

// Nobody can run, and somebody waits: says for whom.
Fault stuck();

std::string maskName(unsigned mask);  // "0x0000ffff"

}  // namespace simt
