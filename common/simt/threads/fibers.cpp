#include "simt/threads/fibers.h"

#include <sys/mman.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "simt/find/faults.h"
#include "simt/find/races.h"
#include "simt/image/symbols.h"
#include "simt/run/block.h"
#include "simt/run/meetings.h"
#include "simt/threads/hand_over.h"

namespace simt {

#ifdef SIMT_ASAN
const size_t stackBytes = 256 * 1024;
#else
const size_t stackBytes = 64 * 1024;
#endif

namespace {

std::string whatWasThrown;

[[gnu::noinline]] void raiseException() {
  Quiet quiet;
  const Thread& self = *runningBlock().current;
  const void* const pc = lastPlace(self);
  raise(makeFault(Fault::Kind::exception,
                  threadName(self) + " throws an exception" + at(pc) + ": " + whatWasThrown,
                  {&self}, {pc}));
}

struct Call {
  void (*function)(void*);
  void* with;
};
Call callOfKernel() {
  const KernelCall& kernel = runningBlock().kernelCall;
  return {kernel.call, kernel.arguments};
}

#ifdef SIMT_BOOST_SWITCH
Call afterThread(void*) {
  suspend(finishThread());
  running = runningBlock().current;  // perhaps another thread
  return callOfKernel();
}
#else
// What the fiber calls whose thread's kernel has returned: the kernel for a thread that has not
// begun, or the place where another fiber goes on. Then this one begins anew when it is needed.
Call afterThread(void* unbegun) {
  const bool toScheduler = finishThread();
  settlePendingWrites();
  Block& block = runningBlock();
  Thread& self = *block.current;
  if (block.trace.on()) block.trace.settleStores(self);
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
    block.current = running = nullptr;
  }
  return {Stack::goOn, const_cast<void*>(goesOn.top())};
}
#endif

// What a fiber runs: the thread whose turn it is, to its end, and whichever is next, for ever.
void runThreads(void* unbegun) {
  for (Call call = callOfKernel();; call = afterThread(unbegun)) {
    bool thrown = true;  // an exception must not leave the fiber
    try {
      call.function(call.with);
      thrown = false;
    } catch (const std::exception& error) {
      running = nullptr;
      whatWasThrown = error.what();
    } catch (...) {
      running = nullptr;
      whatWasThrown = "of a type that is no std::exception";
    }
    if (thrown) raiseException();
    running = nullptr;  // what follows may share functions of the library with kernels
  }
}

void startFiber(Thread& thread) {
  // The tops of the stacks are spread over the sets of the caches.
  const size_t colour = thread.rank % 61 * 64;
  thread.stack.start(reinterpret_cast<char*>(thread.stackBegin), stackBytes - colour, runThreads);
}

}  // namespace

void suspend(bool toScheduler) {
  settlePendingWrites();
  Block& block = runningBlock();
  Thread& self = *block.current;
  if (block.trace.on()) block.trace.settleStores(self);
  Thread* const next = toScheduler ? nullptr : block.ready.take();
  if (next == &self) return;
  if (!next) {
    block.current = running = nullptr;
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
  (next ? next->stack : block.fibers.scheduler_).switchFrom(self.stack);
}

void resume(Thread& thread) {
  makeCurrent(runningBlock(), thread);
  thread.stack.switchFrom(runningBlock().fibers.scheduler_);
}

void FiberStacks::start(Thread* threads, unsigned count) {
  if (allocated_ < count) {
    const size_t spacing = stackBytes + stackGuardBytes;
    auto* memory =
        static_cast<char*>(mmap(nullptr, (count - allocated_) * spacing, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (; allocated_ < count; ++allocated_, memory += spacing) {
      mprotect(memory, stackGuardBytes, PROT_NONE);
      threads[allocated_].stackBegin = reinterpret_cast<uintptr_t>(memory + stackGuardBytes);
    }
  }
  const std::thread::id osThread = std::this_thread::get_id();
  if (std::exchange(osThread_, osThread) != osThread) started_ = 0;
  for (; started_ < count; ++started_) startFiber(threads[started_]);
}

}  // namespace simt
