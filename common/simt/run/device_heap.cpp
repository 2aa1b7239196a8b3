// malloc, free, new and delete: in a kernel they are about the device's heap, whose pieces are
// arrays like any other; elsewhere they are the C library's. The program is linked with
// --wrap=malloc and --wrap=free.
#include <algorithm>
#include <cstdlib>
#include <new>

#include "simt/find/block_races.h"
#include "simt/find/faults.h"
#include "simt/find/repetition.h"
#include "simt/image/symbols.h"
#include "simt/memory/arrays.h"
#include "simt/memory/worker_process.h"
#include "simt/run/block.h"
#include "simt/run/executor.h"

#ifdef __linux__

static constexpr char allocates[] = "uses the device's heap";

extern "C" {
void* __real_malloc(size_t bytes);
void __real_free(void* pointer);

void* __wrap_malloc(size_t bytes) {
  if (simt::runningPlain) simt::giveUpWorker(allocates);
  if (!simt::running) return __real_malloc(bytes);
  const simt::Quiet quiet;
  simt::closeWindows();
  bytes = std::max<size_t>(bytes, 1);
  if (!simt::takeFromHeap(bytes)) return nullptr;
  try {
    void* const piece = simt::allocate(bytes, 1, simt::heapName);
    simt::findArray(reinterpret_cast<uintptr_t>(piece))->isOfHeap = true;
    return piece;
  } catch (const std::bad_alloc&) {
    simt::giveBackToHeap(bytes);
    return nullptr;
  }
}

// Whether it was a piece of the device's heap, which is gone now.
static bool freePiece(void* pointer) {
  const simt::Array* const array = simt::findArray(reinterpret_cast<uintptr_t>(pointer));
  if (!array || !array->isOfHeap || array->begin != reinterpret_cast<uintptr_t>(pointer))
    return false;
  if (simt::blockOfThisOsThread) {
    simt::forgetAccesses(array->begin, array->end);
    simt::closeWindows();
    simt::runningBlock().recentRanges.forget();
  }
  simt::giveBackToHeap(array->end - array->begin);
  simt::release(pointer);
  return true;
}

void __wrap_free(void* pointer) {
  if (pointer && simt::runningPlain) simt::giveUpWorker(allocates);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  // Arrays begin at pages, which hardly any piece of the C library's heap does.
  if (!pointer || address % 4096 != 0) return __real_free(pointer);
  const bool byKernel = simt::running != nullptr;
  const simt::Quiet quiet;
  if (freePiece(pointer)) return;
  if (!byKernel) return __real_free(pointer);
  const simt::Thread& self = *simt::runningBlock().current;
  const void* const pc = __builtin_return_address(0);
  simt::raise(simt::makeFault(simt::Fault::Kind::hostMemory,
                              simt::threadName(self) + " frees" + simt::at(pc) +
                                  " what no malloc of a kernel gave, or what is free already",
                              {&self}, {pc}));
}
}  // extern "C"

// Weak, for programs that have their own.
#define SIMT_WEAK __attribute__((weak))
SIMT_WEAK void* operator new(size_t bytes) {
  void* const memory = __wrap_malloc(bytes == 0 ? 1 : bytes);
  if (!memory && !simt::running) throw std::bad_alloc();  // a kernel gets null
  return memory;
}
SIMT_WEAK void* operator new[](size_t bytes) { return operator new(bytes); }
SIMT_WEAK void operator delete(void* pointer) noexcept { __wrap_free(pointer); }
SIMT_WEAK void operator delete(void* pointer, size_t) noexcept { __wrap_free(pointer); }
SIMT_WEAK void operator delete[](void* pointer) noexcept { __wrap_free(pointer); }
SIMT_WEAK void operator delete[](void* pointer, size_t) noexcept { __wrap_free(pointer); }

#endif
