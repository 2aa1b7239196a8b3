// The fibers that the CUDA threads of a block are, and their stacks.
#pragma once

#include <cstddef>
#include <thread>

#include "simt/threads/thread.h"

namespace simt {

extern const size_t stackBytes;                // of each fiber
constexpr size_t stackGuardBytes = 68 * 1024;  // below each, which no thread may touch

// Keeps the stacks for the life of the program: making one per thread and block is what would cost.
class FiberStacks {
 public:
  // Makes sure that the first count threads have a fiber that waits for its turn.
  void start(Thread* threads, unsigned count);
  // After a fault: the fibers are in the middle of a kernel, and new ones start on their stacks.
  // Nothing is unwound.
  void abandon() { started_ = 0; }
  // Where the scheduler goes on that has called resume().
  const Stack& scheduler() const { return scheduler_; }

 private:
  friend void resume(Thread&);
  friend void suspend(bool);
  Stack scheduler_;
  unsigned allocated_ = 0;  // of the stacks: a system maps so many pieces of memory and no more
  unsigned started_ = 0;
  std::thread::id osThread_;  // that started them: its thread-local variables are theirs
};

// Called by the scheduler: lets the thread run, and all those that it hands over to, until one of
// them hands back.
void resume(Thread& thread);

// Called by the running thread, which waits for something: hands over to the next that can run, or
// back to the scheduler where there is none or it has something to do.
void suspend(bool toScheduler = false);

}  // namespace simt
