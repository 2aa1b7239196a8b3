// Barriers, shuffles, votes and reductions, for kernels.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simt/device/primitives.h"
#include "simt/device/vectors.h"

constexpr int warpSize = 32;

namespace simt {

// What a shuffle may move: numbers, and what small_floats.h adds.
template <typename T>
constexpr bool isShuffled = std::is_arithmetic_v<T> && sizeof(T) <= 8;

template <typename T>
SIMT_ALWAYS_INLINE uint64_t bitsOf(T value) {
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(uint64_t, value);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(uint32_t, value);
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(uint16_t, value);
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(uint8_t, value);
}
template <typename T>
SIMT_ALWAYS_INLINE T fromBits(uint64_t bits) {
  if constexpr (sizeof(T) == 8) return __builtin_bit_cast(T, bits);
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, uint32_t(bits));
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(T, uint16_t(bits));
  if constexpr (sizeof(T) == 1) return __builtin_bit_cast(T, uint8_t(bits));
}

template <typename T>
SIMT_ALWAYS_INLINE T shuffleAny(Shuffle kind, unsigned mask, T value, int lane, int width) {
  static_assert(isShuffled<T>, "shuffles move numbers of up to 8 bytes");
  return fromBits<T>(shuffle(kind, mask, bitsOf(value), lane, width));
}

}  // namespace simt

// Barriers.
SIMT_ALWAYS_INLINE void __syncthreads(int place = SIMT_HERE) { simt::blockBarrier(0, 0, place); }
SIMT_ALWAYS_INLINE int __syncthreads_count(int p, int place = SIMT_HERE) {
  return simt::blockBarrier(p, 1, place);
}
SIMT_ALWAYS_INLINE int __syncthreads_and(int p, int place = SIMT_HERE) {
  return simt::blockBarrier(p, 2, place);
}
SIMT_ALWAYS_INLINE int __syncthreads_or(int p, int place = SIMT_HERE) {
  return simt::blockBarrier(p, 3, place);
}
SIMT_ALWAYS_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { simt::warpBarrier(mask); }
// The executor keeps memory in order by itself; what fences order is what its search for races
// asks.
inline void __threadfence() { simt::fence(simt::Scope::device); }
inline void __threadfence_block() { simt::fence(simt::Scope::block); }
inline void __threadfence_system() { simt::fence(simt::Scope::device); }

// Shuffles, votes and reductions within a warp.
template <typename T>
SIMT_ALWAYS_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize) {
  return simt::shuffleAny(simt::Shuffle::index, mask, value, lane, width);
}
template <typename T>
SIMT_ALWAYS_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return simt::shuffleAny(simt::Shuffle::up, mask, value, int(delta), width);
}
template <typename T>
SIMT_ALWAYS_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                                      int width = warpSize) {
  return simt::shuffleAny(simt::Shuffle::down, mask, value, int(delta), width);
}
template <typename T>
SIMT_ALWAYS_INLINE T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = warpSize) {
  return simt::shuffleAny(simt::Shuffle::exclusiveOr, mask, value, laneMask, width);
}
SIMT_ALWAYS_INLINE unsigned __ballot_sync(unsigned mask, int p) {
  return simt::vote(simt::Vote::ballot, mask, p);
}
SIMT_ALWAYS_INLINE int __any_sync(unsigned mask, int p) {
  return int(simt::vote(simt::Vote::any, mask, p));
}
SIMT_ALWAYS_INLINE int __all_sync(unsigned mask, int p) {
  return int(simt::vote(simt::Vote::all, mask, p));
}
SIMT_ALWAYS_INLINE unsigned __activemask() { return simt::vote(simt::Vote::active, 0, true); }

#define SIMT_REDUCE(name, kind)                                                       \
  SIMT_ALWAYS_INLINE unsigned __reduce_##name##_sync(unsigned mask, unsigned value) { \
    return simt::reduce(simt::Reduce::kind, false, mask, value);                      \
  }
#define SIMT_REDUCE_SIGNED(name, kind)                                         \
  SIMT_REDUCE(name, kind)                                                      \
  SIMT_ALWAYS_INLINE int __reduce_##name##_sync(unsigned mask, int value) {    \
    return int(simt::reduce(simt::Reduce::kind, true, mask, uint32_t(value))); \
  }
SIMT_REDUCE_SIGNED(add, add)
SIMT_REDUCE_SIGNED(min, min)
SIMT_REDUCE_SIGNED(max, max)
SIMT_REDUCE(and, bitAnd)
SIMT_REDUCE(or, bitOr)
SIMT_REDUCE(xor, bitXor)
#undef SIMT_REDUCE
#undef SIMT_REDUCE_SIGNED

// The lanes that brought the same value, found bit by bit: 32 or 64 votes.
template <typename T>
SIMT_ALWAYS_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(std::is_arithmetic_v<T>, "numbers of up to 8 bytes are matched");
  const uint64_t bits = simt::bitsOf(value);
  unsigned same = mask;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i) {
    const unsigned ones = __ballot_sync(mask, int(bits >> i & 1));
    same &= (bits >> i & 1) ? ones : ~ones;
  }
  return same;
}
template <typename T>
SIMT_ALWAYS_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all) {
  const unsigned same = __match_any_sync(mask, value);
  *all = __all_sync(mask, same == mask);
  return *all ? mask : 0;
}
