#include "simt/fibers.h"

#include <sys/mman.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "simt/block.h"
#include "simt/faults.h"
#include "simt/meetings.h"
#include "simt/races.h"
#include "simt/symbols.h"

// The kernels see it as const (simt/cuda.h).
extern uint3 threadIdx;

namespace simt {

#ifdef SIMT_ASAN
const size_t stackBytes = 256 * 1024;
#else
const size_t stackBytes = 64 * 1024;
#endif

namespace {

void makeCurrent(Thread& thread) {
  runningBlock().current = running = &thread;
  thread.begun = true;
  ::threadIdx = thread.index;
}

std::string whatWasThrown;

[[gnu::noinline]] void raiseException() {
  Quiet quiet;
  const Thread& self = *runningBlock().current;
  const void* const pc = lastPlace(self);
  raise(makeFault(Fault::Kind::exception,
                  threadName(self) + " throws an exception" + at(pc) + ": " + whatWasThrown,
                  {&self}, {pc}));
}

// What a fiber runs: the thread whose turn it is, to its end, and whichever is next, for ever.
void runThreads() {
  for (;;) {
    bool thrown = true;  // an exception must not leave the fiber
    try {
      const KernelCall& kernel = runningBlock().kernelCall;
      kernel.call(kernel.arguments);
      thrown = false;
    } catch (const std::exception& error) {
      whatWasThrown = error.what();
    } catch (...) {
      whatWasThrown = "of a type that is no std::exception";
    }
    if (thrown) raiseException();
    finishThread();
    running = runningBlock().current;  // perhaps another thread
  }
}

void startFiber(Thread& thread) {
  // The tops of the stacks are spread over the sets of the caches.
  const size_t colour = thread.rank % 61 * 64;
  thread.stack.start(reinterpret_cast<char*>(thread.stackBegin), stackBytes - colour, runThreads);
}

// The next threads' memory is not in the nearest cache any more: asks for it early.
void fetchAhead(const ReadyList& ready) {
  constexpr size_t line = 64;
  if (const Thread* const second = ready.ahead(1)) {
    __builtin_prefetch(second);
    __builtin_prefetch(reinterpret_cast<const char*>(second) + line);
  }
  const Thread* const first = ready.ahead(0);
  if (!first || !first->begun) return;
  for (size_t i = 0; i < 4; ++i)
    __builtin_prefetch(static_cast<const char*>(first->stack.top()) + i * line);
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
    makeCurrent(*next);
    if (stays) {
      std::swap(self.stack, next->stack);
      std::swap(self.stackBegin, next->stackBegin);
      return;
    }
    fetchAhead(block.ready);
  }
  (next ? next->stack : block.fibers.scheduler_).switchFrom(self.stack);
}

const void* leave(Thread& self) {
  settlePendingWrites();
  Block& block = runningBlock();
  if (block.trace.on()) block.trace.settleStores(self);
  Thread* const next = block.ready.take();
  if (!next) {
    block.current = running = nullptr;
    return block.fibers.scheduler_.top();
  }
  makeCurrent(*next);
  fetchAhead(block.ready);
  return next->stack.top();
}

void resume(Thread& thread) {
  makeCurrent(thread);
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
  for (; started_ < count; ++started_) startFiber(threads[started_]);
}

}  // namespace simt
