// The entry points that a compiler's instrumentation calls: -fsanitize=thread for memory accesses,
// -fsanitize-coverage=trace-pc for basic blocks. The sanitizers' own runtimes are not linked.
#include <cstring>

#include "simt/find/memory_faults.h"
#include "simt/find/volatile_accesses.h"
#include "simt/memory/worker_process.h"
#include "simt/paths/warp_log.h"
#include "simt/run/access.h"
#include "simt/run/block.h"
#include "simt/run/left_out_calls.h"

namespace {

void touch(const void* begin, size_t size, simt::Access kind, const void* pc) {
  if (simt::running) simt::accessRange(begin, size, kind, pc);
}

// Recursion without an end is told here, not in the midst of the executor: the page below the stack
// is closed (find/signals.h).
void leaveRoomOnStack(const simt::Thread& self) {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (here - self.stackBegin < simt::stackForExecutor) [[unlikely]]
    *reinterpret_cast<volatile char*>(self.stackBegin - 1) = 0;
}

// Of hooks that do nothing where no thread is looked at: a plain block calls them once.
template <typename Hook>
void leaveOut(Hook* hook, const void* pc) {
  if (simt::runningPlain) simt::leaveOutCall(reinterpret_cast<const void*>(hook), pc);
}

// What is volatile goes by the rules of relaxed atomics (find/volatile_accesses.h).
template <unsigned size, simt::Access kind>
void volatileAccess(const void* hook, void* address, const void* pc) {
  if (simt::Thread* const self = simt::running) {
    simt::noteVolatileAccess(*self, address, kind, pc);
    simt::accessNumber<size, kind>(*self, reinterpret_cast<uintptr_t>(address), pc);
    simt::orderByVolatile(*self, address, kind);
  } else if (simt::runningPlain) {
    if (kind == simt::Access::load) simt::noteVolatileTalk(address);
    simt::leaveOutCall(hook, pc);
  }
}

}  // namespace

#define SIMT_CALLER __builtin_return_address(0)
#define SIMT_ACCESS(name, size, kind)                                                           \
  void name(void* address) {                                                                    \
    if (simt::Thread* const self = simt::running)                                               \
      simt::accessNumber<size, simt::Access::kind>(*self, reinterpret_cast<uintptr_t>(address), \
                                                   SIMT_CALLER);                                \
    else                                                                                        \
      leaveOut(name, SIMT_CALLER);                                                              \
  }
// An access wider than its type is aligned is a piece of an object of several members, a float3
// say.
#define SIMT_PIECE(name, size, kind)                       \
  void name(void* address) {                               \
    touch(address, size, simt::Access::kind, SIMT_CALLER); \
    leaveOut(name, SIMT_CALLER);                           \
  }
#define SIMT_VOLATILE(name, size, kind)                                                    \
  void name(void* address) {                                                               \
    volatileAccess<size, simt::Access::kind>(reinterpret_cast<const void*>(name), address, \
                                             SIMT_CALLER);                                 \
  }
#define SIMT_ACCESSES(size)                                       \
  SIMT_ACCESS(__tsan_read##size, size, load)                      \
  SIMT_ACCESS(__tsan_write##size, size, store)                    \
  SIMT_PIECE(__tsan_unaligned_read##size, size, load)             \
  SIMT_PIECE(__tsan_unaligned_write##size, size, store)           \
  SIMT_VOLATILE(__tsan_volatile_read##size, size, load)           \
  SIMT_VOLATILE(__tsan_volatile_write##size, size, store)         \
  SIMT_VOLATILE(__tsan_unaligned_volatile_read##size, size, load) \
  SIMT_VOLATILE(__tsan_unaligned_volatile_write##size, size, store)

extern "C" {

void __tsan_init() {}
// The calls that a thread is in.
void __tsan_func_entry(void* caller) {
  if (simt::Thread* const self = simt::running) {
    self->enterFunction(caller);
    leaveRoomOnStack(*self);
  } else
    leaveOut(__tsan_func_entry, SIMT_CALLER);
}
void __tsan_func_exit() {
  if (simt::Thread* const self = simt::running)
    self->leaveFunction();
  else
    leaveOut(__tsan_func_exit, SIMT_CALLER);
}
// The table of an object's virtual functions, as its constructor sets it. Who reads it may be the
// host's library, with an exception that a kernel throws.
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void** place, void*) {
  if (simt::running) simt::access(place, sizeof *place, simt::Access::store, SIMT_CALLER);
}

SIMT_ACCESSES(1)
SIMT_ACCESSES(2)
SIMT_ACCESSES(4)
SIMT_ACCESSES(8)
SIMT_ACCESSES(16)

void __tsan_read_range(void* begin, size_t size) {
  touch(begin, size, simt::Access::load, SIMT_CALLER);
}
void __tsan_write_range(void* begin, size_t size) {
  touch(begin, size, simt::Access::store, SIMT_CALLER);
}
void* __tsan_memcpy(void* to, const void* from, size_t size) noexcept {
  touch(from, size, simt::Access::load, SIMT_CALLER);
  touch(to, size, simt::Access::store, SIMT_CALLER);
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, size_t size) noexcept {
  touch(from, size, simt::Access::load, SIMT_CALLER);
  touch(to, size, simt::Access::store, SIMT_CALLER);
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, size_t size) noexcept {
  touch(to, size, simt::Access::store, SIMT_CALLER);
  return std::memset(to, value, size);
}

// -fsanitize=bounds: an index that the array's type does not allow.
struct OutOfBoundsData {
  const char* file;
  uint32_t line, column;
  const struct {
    uint16_t kind, info;
    char name[1];
  } * arrayType, *indexType;
};
#ifdef __linux__  // linked with --wrap: for host code a sanitizer's runtime may have a function of
                  // this name
#define __ubsan_handle_out_of_bounds __wrap___ubsan_handle_out_of_bounds
#endif
void __ubsan_handle_out_of_bounds(OutOfBoundsData* data, uintptr_t index) {
  if (simt::runningPlain) simt::giveUpWorker();
  if (!simt::running) return;
  simt::running->hasBadIndex = true;
  simt::running->history->badIndex = {data->arrayType->name, static_cast<long long>(index),
                                      SIMT_CALLER};
}

// std::atomic in the host code of an instrumented file. CUDA's atomics do not come this way.
#define SIMT_ATOMICS(bits, T)                                                                    \
  T __tsan_atomic##bits##_load(const volatile T* a, int) {                                       \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                              \
  void __tsan_atomic##bits##_store(volatile T* a, T v, int) {                                    \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                              \
  T __tsan_atomic##bits##_exchange(volatile T* a, T v, int) {                                    \
    return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                          \
  }                                                                                              \
  T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int) {                                   \
    return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                           \
  }                                                                                              \
  T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int) {                                   \
    return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                           \
  }                                                                                              \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T v, int, int) { \
    return __atomic_compare_exchange_n(a, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
  }                                                                                              \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T v, int, int) {   \
    return __atomic_compare_exchange_n(a, expected, v, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
  }                                                                                              \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T v, int, int) {       \
    __atomic_compare_exchange_n(a, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
    return expected;                                                                             \
  }
SIMT_ATOMICS(8, uint8_t)
SIMT_ATOMICS(16, uint16_t)
SIMT_ATOMICS(32, uint32_t)
SIMT_ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}

void __sanitizer_cov_trace_pc() {
  if (simt::Thread* const self = simt::running)
    simt::enterBasicBlock(*self, SIMT_CALLER);
  else
    leaveOut(__sanitizer_cov_trace_pc, SIMT_CALLER);
}

}  // extern "C"
