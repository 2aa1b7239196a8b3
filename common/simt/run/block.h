// The block that is running: the one object that holds all that changes while it runs.
#pragma once

#include <optional>
#include <span>

#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/observe/tracer.h"
#include "simt/paths/paths.h"
#include "simt/paths/warp_log.h"
#include "simt/run/begun_copies.h"
#include "simt/run/executor.h"
#include "simt/threads/fibers.h"
#include "simt/threads/schedule.h"
#include "simt/threads/thread.h"

#ifdef SIMT_ASAN
#include <sanitizer/lsan_interface.h>
#endif

namespace simt {

// What all blocks of a launch share; the same until it ends.
struct KernelCall {
  const void* kernel = nullptr;
  void (*call)(void*) = nullptr;
  void* arguments = nullptr;
  size_t argumentBytes = 0;
  dim3 grid, block;
  unsigned threads = 0;  // per block
};

// The threads that wait for a block barrier, and the one for which the first of them waits.
struct Arrivals {
  unsigned count = 0;
  bool differ = false;  // not all of them wait for the same one
  int mode = 0, line = 0;
  uint32_t callHash = 0;
  const void* pc = nullptr;
  const Thread* first = nullptr;
};

struct Block {
  KernelCall kernelCall;
  dim3 index;  // its place in the grid
  bool findFaults = true;

  Thread threads[maxThreads];
  ThreadHistory histories[maxThreads];
  Thread* current = nullptr;  // whose turn it is, or null
  unsigned pausedThreads = 0, threadsAtActiveMask = 0, finishedThreads = 0;
  Arrivals atBarrier;
  Thread* arrived = nullptr;  // a thread with which a warp operation may be complete
  ReadyList ready;
  FiberStacks fibers;

  Counters counters;
  PathTree paths;
  PlanCache plans;
  WarpLog logs[maxWarps];
  BlockAccesses accesses;
  AsyncCopies asyncCopies;
  Tracer trace;
  FaultLog faults;
  uint64_t idleTurns = 0, idleBasicBlocks = 0;  // since noteProgress()
  uint64_t idleTimes = 0;                       // how often others were let run for it
  uint64_t changesSeen = 0;                     // of those that noteChange() counts
  uint64_t polls = 0;                           // long turns of threads that may wait for others
  bool someoneComputes = false;                 // since then, for long and without an atomic
  double impatientSince = 0;                    // seconds, or 0
  uint64_t rounds = 0, roundsOfNextWindow = 0;  // for repetition.cpp
  bool waitsForBlocks = false;                  // perhaps: lets others go on
  uint64_t turns = 0;                           // as Settings::mostTurns counts them
  std::optional<Fault> fault;                   // the one that ends the launch

  Block();
  unsigned warps() const { return (kernelCall.threads + warpWidth - 1) / warpWidth; }
  std::span<Thread> allThreads() { return {threads, kernelCall.threads}; }
  std::span<Thread> warpThreads(unsigned warp);
};

// The block that this OS thread runs: one at a time.
extern constinit thread_local Block* blockOfThisOsThread;
inline Block& runningBlock() { return *blockOfThisOsThread; }

// The thread whose kernel's code executes: null inside the executor, and in every other OS thread.
extern constinit thread_local Thread* running;

// While one lives, instrumented code that the executor itself calls (an inline function of the
// standard library, say) is not taken for the kernel's.
struct Quiet {
  Thread* const before = running;
#ifdef SIMT_ASAN
  // What a fault leaves on the stacks that it abandons is no leak.
  Quiet() { running = nullptr, __lsan_disable(); }
  ~Quiet() { running = before, __lsan_enable(); }
#else
  Quiet() { running = nullptr; }
  ~Quiet() { running = before; }
#endif
};

inline void settlePendingWrites() {
  std::vector<PendingWrite>& pending = runningBlock().accesses.pending;
  if (!pending.empty()) settleWrites(pending);
}

// Runs all threads of the block to their end, or until runningBlock().fault.
void runBlock();

}  // namespace simt
