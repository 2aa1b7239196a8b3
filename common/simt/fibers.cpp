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

#ifdef SIMT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// The kernels see it as const (simt/cuda.h).
extern uint3 threadIdx;

namespace simt {

#ifdef SIMT_ASAN
const size_t stackBytes = 256 * 1024;
#else
const size_t stackBytes = 64 * 1024;
#endif

namespace {

struct KeptStack {
  char* begin;
  size_t bytes;
  boost::context::stack_context allocate() const {
    boost::context::stack_context context;
    context.size = bytes;
    context.sp = begin + bytes;
    return context;
  }
  void deallocate(boost::context::stack_context&) const {}
};

void startSwitch([[maybe_unused]] FiberContext& from, [[maybe_unused]] FiberContext& to) {
#ifdef SIMT_ASAN
  __sanitizer_start_switch_fiber(&from.fakeStack, to.stack, to.stackBytes);
#endif
}

// On the stack that was switched to. Null: it runs for the first time.
void finishSwitch([[maybe_unused]] FiberContext* here, [[maybe_unused]] FiberContext& cameFrom) {
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(here ? here->fakeStack : nullptr, &cameFrom.stack,
                                  &cameFrom.stackBytes);
#endif
}

void switchTo(FiberContext& from, FiberContext& to, FiberContext*& cameFrom) {
  cameFrom = &from;
  startSwitch(from, to);
  boost::context::fiber handle = std::move(to.handle).resume();
  finishSwitch(&from, *cameFrom);
  cameFrom->handle = std::move(handle);
}

void makeCurrent(Thread& thread) {
  runningBlock().current = running = &thread;
  thread.begun = true;
  ::threadIdx = thread.index;
}

// An exception must not leave the fiber.
void callKernel() {
  std::string what;
  try {
    const KernelCall& kernel = runningBlock().kernelCall;
    kernel.call(kernel.arguments);
    return;
  } catch (const boost::context::detail::forced_unwind&) {
    throw;
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "of a type that is no std::exception";
  }
  Quiet quiet;
  const Thread& self = *runningBlock().current;
  const void* const pc = lastPlace(self);
  raise(makeFault(Fault::Kind::exception,
                  threadName(self) + " throws an exception" + at(pc) + ": " + what, {&self}, {pc}));
}

void startFiber(Thread& thread, FiberContext*& cameFrom) {
#ifdef SIMT_ASAN
  __asan_unpoison_memory_region(thread.fiber.stack, thread.fiber.stackBytes);
#endif
  // The tops of the stacks are spread over the sets of the caches.
  const size_t colour = thread.rank % 61 * 64;
  auto* const begin = reinterpret_cast<char*>(thread.stackBegin);
  // Written over the old handle, which is not destroyed: that would unwind the abandoned stack.
  new (&thread.fiber.handle)
      boost::context::fiber(std::allocator_arg, KeptStack{begin, stackBytes - colour},
                            [&thread, &cameFrom](boost::context::fiber&& caller) {
                              finishSwitch(nullptr, *cameFrom);
                              new (&cameFrom->handle) boost::context::fiber(std::move(caller));
                              for (;;) {
                                callKernel();
                                finishThread();
                                running = runningBlock().current;  // perhaps another thread
                              }
                              return boost::context::fiber();
                            });
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
  for (size_t i = 0; i < 6; ++i)
    __builtin_prefetch(static_cast<const char*>(first->frame) + i * line);
}

}  // namespace

void suspend(bool toScheduler) {
  settlePendingWrites();
  Block& block = runningBlock();
  Thread& self = *block.current;
  Thread* const next = toScheduler ? nullptr : block.ready.take();
  if (next == &self) return;
  if (!next) {
    block.current = running = nullptr;
  } else {
    // A fiber that has nothing more to do runs a thread that has not begun: no need to switch.
    const bool stays = self.state == State::finished && !next->begun;
    makeCurrent(*next);
    if (stays) {
      std::swap(self.fiber, next->fiber);
      std::swap(self.stackBegin, next->stackBegin);
      return;
    }
    fetchAhead(block.ready);
  }
  self.frame = static_cast<const char*>(__builtin_frame_address(0)) - 128;
  FiberStacks& fibers = block.fibers;
  switchTo(self.fiber, next ? next->fiber : fibers.scheduler_, fibers.cameFrom_);
}

void resume(Thread& thread) {
  makeCurrent(thread);
  FiberStacks& fibers = runningBlock().fibers;
  switchTo(fibers.scheduler_, thread.fiber, fibers.cameFrom_);
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
      Thread& thread = threads[allocated_];
      thread.fiber.stack = memory + stackGuardBytes;
      thread.fiber.stackBytes = stackBytes;
      thread.stackBegin = reinterpret_cast<uintptr_t>(thread.fiber.stack);
    }
  }
  for (; started_ < count; ++started_) startFiber(threads[started_], cameFrom_);
}

}  // namespace simt
