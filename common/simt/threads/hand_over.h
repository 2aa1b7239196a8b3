// From a thread that waits to the next that can run: what each barrier does for each thread.
#pragma once

#include "simt/threads/thread_block.h"

// The kernels see it as const (simt/cuda.h).
extern constinit thread_local uint3 threadIdx;

namespace simt {

inline void letRun(const ThreadBlock& block, Thread* thread) {
  (block.isPlain ? runningPlain : running) = thread;
}

inline void letNoneRun(ThreadBlock& block) {
  block.current = nullptr;
  letNoneRun();
}

inline void makeCurrent(ThreadBlock& block, Thread& thread) {
  block.current = &thread;
  letRun(block, &thread);
  thread.begun = true;
  ::threadIdx = thread.index;
}

// The next threads' memory is not in the nearest cache any more: asks for it early.
inline void fetchAhead(const ReadyList& ready) {
  constexpr size_t line = 64;
  if (const Thread* const second = ready.ahead(1)) {
    __builtin_prefetch(second);
    __builtin_prefetch(reinterpret_cast<const char*>(second) + line);
  }
  const Thread* const first = ready.ahead(0);
  if (!first) return;
  // A thread that has not begun goes on below where its stack was left.
  const char* const top =
      static_cast<const char*>(first->stack.top()) - (first->begun ? 0 : 4 * line);
  for (size_t i = 0; i < 4 + size_t(!first->begun); ++i) __builtin_prefetch(top + i * line, 1);
}

#ifndef SIMT_BOOST_SWITCH
// The thread whose turn it is now: where its stack goes on. One more than that where it has not
// begun.
inline const void* handOver(ThreadBlock& block, Thread& next) {
  const bool begun = next.begun;
  makeCurrent(block, next);
  fetchAhead(block.ready);
  return static_cast<const char*>(next.stack.top()) + !begun;
}

// The running thread, which waits for something, has left its stack: what handOver() returns for
// the next one, or where the scheduler goes on.
inline const void* leave(ThreadBlock& block, Thread& self) {
  if (block.unsettled) block.calls().settles(self);
  if (Thread* const next = block.ready.take()) return handOver(block, *next);
  letNoneRun(block);
  return block.fibers.scheduler().top();
}
#endif

}  // namespace simt
