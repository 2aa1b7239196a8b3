// Memory of the device is not there for the host: its pages are closed while host code runs, and
// opened, piece by piece, by the first access of a launch or of a call of the runtime.
#pragma once

#include <cstddef>

namespace simt {

// Memory that allocate() made: from now on closed, until it is released. Both want the RuntimeLock.
void closeToHost(void* memory, size_t bytes);
void forgetClosed(void* memory);

// The lock's begin and end, of the outermost one: in between, accesses open what they reach. A
// launch that is one of many leaves it open: the next call that waits or copies closes it.
void runtimeEnters();
void runtimeLeaves();
void launchLeavesOpen();
// In a copy of the process, whose memory changes nothing: all of it, for good.
void openInCopy();
// In a program whose libraries reach it from the host: all of it, also what is allocated later.
void openToHost();
bool isOpenToHost();

}  // namespace simt
