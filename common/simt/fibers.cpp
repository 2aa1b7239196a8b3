#include "simt/fibers.h"

#include <sys/mman.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "simt/block.h"
#include "simt/faults.h"
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
  char* base;
  boost::context::stack_context allocate() const {
    boost::context::stack_context context;
    context.size = stackBytes;
    context.sp = base + stackBytes;
    return context;
  }
  void deallocate(boost::context::stack_context&) const {}
};

[[maybe_unused]] const void* schedulerStack = nullptr;
[[maybe_unused]] size_t schedulerStackBytes = 0;

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
  raise(makeFault(Fault::Kind::exception,
                  threadName(self) + " throws an exception" + at(self.lastBlock) + ": " + what,
                  {&self}, {self.lastBlock}));
}

void startFiber(Thread& thread) {
#ifdef SIMT_ASAN
  __asan_unpoison_memory_region(thread.stack, stackBytes);
#endif
  // Written over the old handle, which is not destroyed: that would unwind the abandoned stack.
  new (&thread.fiber) boost::context::fiber(
      std::allocator_arg, KeptStack{thread.stack}, [&thread](boost::context::fiber&& scheduler) {
        new (&thread.scheduler) boost::context::fiber(std::move(scheduler));
#ifdef SIMT_ASAN
        __sanitizer_finish_switch_fiber(nullptr, &schedulerStack, &schedulerStackBytes);
#endif
        for (;;) {
          callKernel();
          thread.state = State::finished;
          suspend();
        }
        return boost::context::fiber();
      });
}

}  // namespace

void suspend() {
  Thread& self = *runningBlock().current;
#ifdef SIMT_ASAN
  __sanitizer_start_switch_fiber(&self.fakeStack, schedulerStack, schedulerStackBytes);
#endif
  self.scheduler = std::move(self.scheduler).resume();
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(self.fakeStack, &schedulerStack, &schedulerStackBytes);
#endif
}

void resume(Thread& thread) {
  runningBlock().current = running = &thread;
  ::threadIdx = thread.index;
#ifdef SIMT_ASAN
  void* fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, thread.stack, stackBytes);
#endif
  thread.fiber = std::move(thread.fiber).resume();
#ifdef SIMT_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
  runningBlock().current = running = nullptr;
}

void FiberStacks::start(Thread* threads, unsigned count) {
  if (!allocated_) {
    const size_t spacing = stackBytes + stackGuardBytes;
    auto* memory = static_cast<char*>(mmap(nullptr, maxThreads * spacing, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (unsigned i = 0; i < maxThreads; ++i) {
      mprotect(memory + i * spacing, stackGuardBytes, PROT_NONE);
      threads[i].stack = memory + i * spacing + stackGuardBytes;
    }
    allocated_ = true;
  }
  for (; started_ < count; ++started_) startFiber(threads[started_]);
}

}  // namespace simt
