// The threads of the block that is running, and whose turn it is. Each room below adds what it
// keeps of the block: PathBlock, ObservedBlock, SearchedBlock, Block.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "simt/threads/fiber_stacks.h"
#include "simt/threads/ready_list.h"
#include "simt/threads/thread.h"

namespace simt {

// What the rooms below do when a thread comes somewhere.
struct ThreadCalls {
  void (*settles)(Thread& self);               // it waits or ends, and has left something unsettled
  void (*pauses)(uint32_t code);               // its log is full; it comes to this code of its path
  bool (*finishes)();                          // its kernel has returned: is there something to do?
  void (*hasThrown)(const std::string& what);  // an exception: does not return
  bool (*mayWaitForBlocks)();                  // whether there are others that it may wait for
};

// What was launched.
struct KernelCall {
  const void* kernel = nullptr;
  void (*call)(void*) = nullptr;
  void* arguments = nullptr;
  size_t argumentBytes = 0;
  dim3 grid, block;
  bool cooperative = false;
  dim3 cluster = {1, 1, 1};  // so many blocks run together

  bool inClusters() const { return uint64_t(cluster.x) * cluster.y * cluster.z > 1; }
  bool runsTogether() const { return cooperative || inClusters(); }
  uint64_t blocks() const { return uint64_t(grid.x) * grid.y * grid.z; }
  unsigned threads() const { return block.x * block.y * block.z; }  // per block
};

// A launch, from its begin to its end: all that is of it and not of one block. Each room below adds
// what it keeps of it: TracedLaunch, SearchedLaunch, Launch.
struct ThreadLaunch {
  KernelCall call;
  std::string kernelName;  // as asked for, or ""
  const ThreadCalls* calls = nullptr;
};

struct ThreadBlock {
  ThreadLaunch* launch_ = nullptr;  // each room has a launch() of its own
  unsigned size = 0;                // threads
  dim3 index;                       // its place in the grid

  Thread threads[maxThreads];
  ThreadHistory histories[maxThreads];
  Thread* current = nullptr;  // whose turn it is, or null
  bool unsettled = false;     // writes of the running thread, see ThreadCalls
  bool isPlain = false;       // nothing of it is counted or looked at
  bool inARow = false;        // its threads run one behind the other, see run/rows.h
  unsigned pausedThreads = 0, threadsAtActiveMask = 0, finishedThreads = 0;
  ReadyList ready;
  FiberStacks fibers;
  std::string thrown;  // what a thread's exception says: kept outside the stack, which is left

  ThreadBlock() {
    for (unsigned i = 0; i < maxThreads; ++i) {
      threads[i].rank = uint16_t(i);
      threads[i].history = &histories[i];
    }
  }
  ThreadLaunch& launch() const { return *launch_; }
  const KernelCall& kernelCall() const { return launch_->call; }
  const ThreadCalls& calls() const { return *launch_->calls; }
  unsigned warps() const { return (size + warpWidth - 1) / warpWidth; }
  std::span<Thread> allThreads() { return {threads, size}; }
  std::span<Thread> warpThreads(unsigned warp) {
    const unsigned first = warp * warpWidth;
    return {threads + first, std::min(warpWidth, size - first)};
  }
  // Lets these threads go on.
  void makeReady(const std::vector<Thread*>& group) {
    for (Thread* thread : group) thread->state = State::ready;
    ready.add(group);
  }
};

// The block that this OS thread runs: one at a time.
extern constinit thread_local ThreadBlock* blockOfThisOsThread;
inline ThreadBlock& runningThreads() { return *blockOfThisOsThread; }

// The thread whose kernel's code executes: null inside the executor, and in every other OS thread.
extern constinit thread_local Thread* running;
// The same of a block that runs plain (run/searched_share.h); running is null meanwhile.
extern constinit thread_local Thread* runningPlain;
inline bool isInKernel() { return running || runningPlain; }
inline void letNoneRun() { running = runningPlain = nullptr; }

// While one lives, instrumented code that the executor itself calls (an inline function of the
// standard library, say) is not taken for the kernel's.
struct Quiet {
  Thread *const before = running, *const plainBefore = runningPlain;
  Quiet() { letNoneRun(); }
  ~Quiet() { running = before, runningPlain = plainBefore; }
};

std::string kernelName();                         // of the running launch, for reports
std::string indexName(uint3 index, dim3 extent);  // "7", "(7, 1, 0)"
std::string threadName(const Thread& thread);     // "thread 7", "thread (7, 1, 0)"

}  // namespace simt
