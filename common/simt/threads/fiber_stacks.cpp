#include "simt/threads/fiber_stacks.h"

#include <sys/mman.h>

#include <atomic>
#include <new>
#include <utility>

namespace simt {

const size_t stackBytes = (512 + 64) * 1024;

// A system maps some 65000 pieces of memory: two for each stack with a guard, the rest have none.
constexpr size_t mostGuarded = 24000;
static std::atomic<size_t> allStacks = 0;

static void startFiber(Thread& thread, void (*entry)(void*)) {
  // The tops of the stacks are spread over the sets of the caches.
  const size_t colour = thread.rank % 61 * 64;
  thread.stack.start(reinterpret_cast<char*>(thread.stackBegin), stackBytes - colour, entry);
}

void FiberStacks::start(Thread* threads, unsigned count, void (*entry)(void*)) {
  if (allocated_ < count) {
    const size_t spacing = stackBytes + stackGuardBytes;
    auto* memory =
        static_cast<char*>(mmap(nullptr, (count - allocated_) * spacing, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (; allocated_ < count; ++allocated_, memory += spacing) {
      if (allStacks++ < mostGuarded) mprotect(memory, stackGuardBytes, PROT_NONE);
      threads[allocated_].stackBegin = reinterpret_cast<uintptr_t>(memory + stackGuardBytes);
    }
  }
  const std::thread::id osThread = std::this_thread::get_id();
  if (std::exchange(osThread_, osThread) != osThread) started_ = 0;
  for (; started_ < count; ++started_) startFiber(threads[started_], entry);
}

}  // namespace simt
