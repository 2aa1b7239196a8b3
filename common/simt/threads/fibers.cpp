#include "simt/threads/fibers.h"

#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "simt/threads/hand_over.h"

namespace simt {

namespace {

struct Call {
  void (*function)(void*);
  void* with;
};
Call callOfKernel() {
  const KernelCall& kernel = runningThreads().kernelCall();
  return {kernel.call, kernel.arguments};
}

#ifdef SIMT_BOOST_SWITCH
bool beginNextOfRow() { return false; }

Call afterThread(void*) {
  suspend(runningThreads().calls().finishes());
  letRun(runningThreads(), runningThreads().current);  // perhaps another thread
  return callOfKernel();
}
#else
// Makes the next thread of a row the current one. False: there is none.
bool beginNextOfRow() {
  ThreadBlock& block = runningThreads();
  Thread* const next = block.current + 1;
  if (!block.inARow || next == block.threads + block.size) return false;
  block.current = runningPlain = next;
  const dim3 size = block.kernelCall().block;
  if (++::threadIdx.x < size.x) return true;
  ::threadIdx.x = 0;
  if (++::threadIdx.y < size.y) return true;
  ::threadIdx.y = 0;
  ++::threadIdx.z;
  return true;
}

// What the fiber calls whose thread's kernel has returned: the kernel for a thread that has not
// begun, or the place where another fiber goes on. Then this one begins anew when it is needed.
Call afterThread(void* unbegun) {
  ThreadBlock& block = runningThreads();
  if (block.inARow) {
    block.threads[0].stack.leftAt(unbegun);
    letNoneRun(block);
    return {Stack::goOn, const_cast<void*>(block.fibers.scheduler().top())};
  }
  const bool toScheduler = block.calls().finishes();
  Thread& self = *block.current;
  if (block.unsettled) block.calls().settles(self);
  Thread* const next = toScheduler ? nullptr : block.ready.take();
  if (next && !next->begun) {
    makeCurrent(block, *next);
    std::swap(self.stack, next->stack);
    std::swap(self.stackBegin, next->stackBegin);
    return callOfKernel();
  }
  self.stack.leftAt(unbegun);
  const Stack& goesOn = next ? next->stack : block.fibers.scheduler();
  if (next) {
    makeCurrent(block, *next);
    fetchAhead(block.ready);
  } else {
    letNoneRun(block);
  }
  return {Stack::goOn, const_cast<void*>(goesOn.top())};
}
#endif

// What a fiber runs: the thread whose turn it is, to its end, and whichever is next, for ever.
void runThreads(void* unbegun) {
  for (Call call = callOfKernel();; call = afterThread(unbegun)) {
    bool thrown = true;  // an exception must not leave the fiber
    try {
      do call.function(call.with);
      while (beginNextOfRow());
      thrown = false;
    } catch (const std::exception& error) {
      letNoneRun();
      runningThreads().thrown = error.what();
    } catch (...) {
      letNoneRun();
      runningThreads().thrown = "of a type that is no std::exception";
    }
    if (thrown) runningThreads().calls().hasThrown(runningThreads().thrown);
    letNoneRun();  // what follows may share functions of the library with kernels
  }
}

}  // namespace

void startFibers(ThreadBlock& block) {
  makeBarrierStack();
  block.fibers.start(block.threads, block.size, runThreads);
}

void suspend(bool toScheduler) {
  ThreadBlock& block = runningThreads();
  Thread& self = *block.current;
  if (block.unsettled) block.calls().settles(self);
  Thread* const next = toScheduler ? nullptr : block.ready.take();
  if (next == &self) return;
  if (!next) {
    letNoneRun(block);
  } else {
    // A fiber that has nothing more to do runs a thread that has not begun: no need to switch.
    const bool stays = self.state == State::finished && !next->begun;
    makeCurrent(block, *next);
    if (stays) {
      std::swap(self.stack, next->stack);
      std::swap(self.stackBegin, next->stackBegin);
      return;
    }
    fetchAhead(block.ready);
  }
  (next ? next->stack : block.fibers.scheduler()).switchFrom(self.stack);
}

void leaveForGood() {
  ThreadBlock& block = runningThreads();
  Thread& self = *block.current;
  letNoneRun(block);
  block.fibers.scheduler().switchFrom(self.stack);
  std::abort();  // never: the thread is not resumed
}

void resume(Thread& thread) {
  makeCurrent(runningThreads(), thread);
  thread.stack.switchFrom(runningThreads().fibers.scheduler());
}

}  // namespace simt
