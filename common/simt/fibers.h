// The fibers that the CUDA threads of a block are, and their stacks.
#pragma once

#include <cstddef>

#include "simt/thread.h"

namespace simt {

extern const size_t stackBytes;                // of each fiber
constexpr size_t stackGuardBytes = 64 * 1024;  // below each, which no thread may touch

// Keeps the stacks for the life of the program: making one per thread and block is what would cost.
class FiberStacks {
 public:
  // Makes sure that the first count threads have a fiber that waits for its turn.
  void start(Thread* threads, unsigned count);
  // After a fault: the fibers are in the middle of a kernel, and new ones start on their stacks.
  // Nothing is unwound.
  void abandon() { started_ = 0; }

 private:
  bool allocated_ = false;
  unsigned started_ = 0;
};

void resume(Thread& thread);  // lets it run until it suspends
void suspend();               // called by the running thread

}  // namespace simt
