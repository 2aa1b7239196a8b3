// The stacks of the fibers that the CUDA threads of a block are.
#pragma once

#include <cstddef>
#include <thread>

#include "simt/threads/thread.h"

namespace simt {

extern const size_t stackBytes;  // of each fiber: a GPU's 512 KiB of local memory, and some
constexpr size_t stackForExecutor = 48 * 1024;  // of these, where a kernel calls it
constexpr size_t stackGuardBytes = 68 * 1024;   // below each, which no thread may touch

// Keeps the stacks for the life of the program: making one per thread and block is what would cost.
class FiberStacks {
 public:
  // Makes sure that the first count threads have a fiber that waits for its turn to run entry.
  void start(Thread* threads, unsigned count, void (*entry)(void* unbegun));
  // After a fault: the fibers are in the middle of a kernel, and new ones start on their stacks.
  // Nothing is unwound.
  void abandon() { started_ = 0; }
  // Where the scheduler goes on that has called resume().
  Stack& scheduler() { return scheduler_; }

 private:
  Stack scheduler_;
  unsigned allocated_ = 0;  // of the stacks: a system maps so many pieces of memory and no more
  unsigned started_ = 0;
  std::thread::id osThread_;  // that started them: its thread-local variables are theirs
};

}  // namespace simt
