// Barriers, shuffles, votes and reductions, for the GPU compiler.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "simt/device/primitives.h"
#include "simt/device/vectors.h"

#define SIMT_DEVICE static __attribute__((device, always_inline)) inline

// clang 14 moves values in shared memory across its own barrier: the clobber forbids that.
namespace simt {
SIMT_DEVICE void barrier() { asm volatile("bar.sync 0;" ::: "memory"); }
}  // namespace simt
#define __syncthreads(...) simt::barrier()
// Nobody has its code: who calls it has no estimate.
extern "C" __device__ void waitForAllBlocks();
namespace simt {
SIMT_DEVICE void gridBarrier(int) { waitForAllBlocks(); }
SIMT_DEVICE void clusterBarrier(int) { waitForAllBlocks(); }
SIMT_DEVICE dim3 clusterSize() { return {1, 1, 1}; }
SIMT_DEVICE void* sharedOfBlock(void* mine, unsigned) { return mine; }
}  // namespace simt
#define SIMT_COUNTING_BARRIER(name, operation)                          \
  SIMT_DEVICE int __syncthreads_##name(int p) {                         \
    int result;                                                         \
    asm volatile(                                                       \
        "{ .reg .pred %%p1; .reg .pred %%p2; setp.ne.s32 %%p1, %1, 0; " \
        "bar.red." #operation                                           \
        ".pred %%p2, 0, %%p1; "                                         \
        "selp.s32 %0, 1, 0, %%p2; }"                                    \
        : "=r"(result)                                                  \
        : "r"(p)                                                        \
        : "memory");                                                    \
    return result;                                                      \
  }
SIMT_COUNTING_BARRIER(and, and)
SIMT_COUNTING_BARRIER(or, or)
#undef SIMT_COUNTING_BARRIER
SIMT_DEVICE int __syncthreads_count(int p) {
  int result;
  asm volatile("{ .reg .pred %%p1; setp.ne.s32 %%p1, %1, 0; bar.red.popc.u32 %0, 0, %%p1; }"
               : "=r"(result)
               : "r"(p)
               : "memory");
  return result;
}
SIMT_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
SIMT_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
SIMT_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
SIMT_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }

namespace simt {

template <typename T>
constexpr bool isShuffled = std::is_arithmetic_v<T> && sizeof(T) <= 8;
SIMT_DEVICE void fence(Scope scope) {
  scope == Scope::block ? __threadfence_block() : __threadfence();
}
// Each word of the value by a shuffle of its own.
template <typename Word, typename T>
SIMT_DEVICE T byWords(T value, Word word) {
  if constexpr (sizeof(T) == 8) {
    uint32_t low, high;
    uint64_t bits = std::bit_cast<uint64_t>(value);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(bits));
    low = word(low), high = word(high);
    asm("mov.b64 %0, {%1, %2};" : "=l"(bits) : "r"(low), "r"(high));
    return std::bit_cast<T>(bits);
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(uint32_t(word(std::bit_cast<uint32_t>(value))));
  } else {
    uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = word(bits);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  }
}

}  // namespace simt

#define SIMT_SHUFFLE(name, kind, last)                                                            \
  template <typename T>                                                                           \
  SIMT_DEVICE T name(unsigned mask, T value, int lane, int width = 32) {                          \
    return simt::byWords(value, [=](uint32_t word) {                                              \
      return uint32_t(                                                                            \
          __nvvm_shfl_sync_##kind##_i32(int(mask), int(word), lane, ((32 - width) << 8) | last)); \
    });                                                                                           \
  }
SIMT_SHUFFLE(__shfl_sync, idx, 0x1f)
SIMT_SHUFFLE(__shfl_up_sync, up, 0)
SIMT_SHUFFLE(__shfl_down_sync, down, 0x1f)
SIMT_SHUFFLE(__shfl_xor_sync, bfly, 0x1f)
#undef SIMT_SHUFFLE

SIMT_DEVICE unsigned __ballot_sync(unsigned mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p);
}
SIMT_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
SIMT_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
SIMT_DEVICE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

#define SIMT_REDUCE(name, T, type)                               \
  SIMT_DEVICE T __reduce_##name##_sync(unsigned mask, T value) { \
    T result;                                                    \
    asm volatile("redux.sync." #name "." #type " %0, %1, %2;"    \
                 : "=r"(result)                                  \
                 : "r"(value), "r"(mask));                       \
    return result;                                               \
  }
SIMT_REDUCE(add, int, s32)
SIMT_REDUCE(add, unsigned, u32)
SIMT_REDUCE(min, int, s32)
SIMT_REDUCE(min, unsigned, u32)
SIMT_REDUCE(max, int, s32)
SIMT_REDUCE(max, unsigned, u32)
SIMT_REDUCE(and, unsigned, b32)
SIMT_REDUCE(or, unsigned, b32)
SIMT_REDUCE(xor, unsigned, b32)
#undef SIMT_REDUCE

template <typename T>
SIMT_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
  unsigned result;
  if constexpr (sizeof(T) == 4)
    asm volatile("match.any.sync.b32 %0, %1, %2;"
                 : "=r"(result)
                 : "r"(std::bit_cast<uint32_t>(value)), "r"(mask));
  else
    asm volatile("match.any.sync.b64 %0, %1, %2;"
                 : "=r"(result)
                 : "l"(std::bit_cast<uint64_t>(value)), "r"(mask));
  return result;
}
template <typename T>
SIMT_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* all) {
  const unsigned same = __match_any_sync(mask, value);
  *all = __all_sync(mask, same == mask);
  return *all ? mask : 0;
}
