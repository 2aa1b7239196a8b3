// Threads that wait for each other.
#pragma once

#include <string>
#include <vector>

#include "simt/executor.h"
#include "simt/thread.h"

namespace simt {

// A thread of the kernel waits here until the executor has its result.
uint64_t wait(State state, const void* pc);

// Lets these threads go on.
void makeReady(const std::vector<Thread*>& group);

// When every lane that the last arrival's mask names has come, computes the results and lets the
// lanes go on.
void tryWarpOperation(const Thread& arrival);

// A thread has returned: lanes that named it in a mask no longer wait for it.
void afterReturn(const Thread& thread);

// Lets lanes go on that wait in __activemask() while their warp can do nothing else. False when
// there are none.
bool releaseActiveMasks();

// Lets every thread of the block go on from __syncthreads when all that still run wait at the same.
bool releaseBlock();

// Nobody can run, and somebody waits: says for whom.
Fault stuck();

std::string maskName(unsigned mask);  // "0x0000ffff"

}  // namespace simt
