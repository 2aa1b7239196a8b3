// Atomics, for the types CUDA has them for. Those of the whole system are those of the device:
// there is one.
#pragma once

#include "simt/device/primitives.h"
#include "simt/device/vectors.h"

namespace simt {

template <typename T, typename... Allowed>
concept OneOf = (std::is_same_v<T, Allowed> || ...);
template <typename T>
using Same = std::type_identity_t<T>;
using ull = unsigned long long;

}  // namespace simt

#define SIMT_ATOMIC(name, kind, ...)                                                        \
  template <simt::OneOf<__VA_ARGS__> T>                                                     \
  SIMT_ALWAYS_INLINE T name(T* address, simt::Same<T> value) {                              \
    return simt::atomic(simt::Atomic::kind, address, value);                                \
  }                                                                                         \
  template <simt::OneOf<__VA_ARGS__> T>                                                     \
  SIMT_ALWAYS_INLINE T name##_block(T* address, simt::Same<T> value) {                      \
    return simt::atomic(simt::Atomic::kind, address, value, T(), simt::MemoryOrder::legacy, \
                        simt::Scope::block);                                                \
  }                                                                                         \
  template <simt::OneOf<__VA_ARGS__> T>                                                     \
  SIMT_ALWAYS_INLINE T name##_system(T* address, simt::Same<T> value) {                     \
    return simt::atomic(simt::Atomic::kind, address, value);                                \
  }
SIMT_ATOMIC(atomicAdd, add, int, unsigned, simt::ull, float, double)
SIMT_ATOMIC(atomicSub, sub, int, unsigned)
SIMT_ATOMIC(atomicMin, min, int, unsigned, long long, simt::ull)
SIMT_ATOMIC(atomicMax, max, int, unsigned, long long, simt::ull)
SIMT_ATOMIC(atomicInc, inc, unsigned)
SIMT_ATOMIC(atomicDec, dec, unsigned)
SIMT_ATOMIC(atomicAnd, bitAnd, int, unsigned, simt::ull)
SIMT_ATOMIC(atomicOr, bitOr, int, unsigned, simt::ull)
SIMT_ATOMIC(atomicXor, bitXor, int, unsigned, simt::ull)
#undef SIMT_ATOMIC

#define SIMT_ATOMIC_EXCH(name, scope)                                                     \
  template <simt::OneOf<int, unsigned, simt::ull, float> T>                               \
  SIMT_ALWAYS_INLINE T name(T* address, simt::Same<T> value) {                            \
    return simt::exchange(address, value, simt::MemoryOrder::legacy, simt::Scope::scope); \
  }
SIMT_ATOMIC_EXCH(atomicExch, device)
SIMT_ATOMIC_EXCH(atomicExch_block, block)
SIMT_ATOMIC_EXCH(atomicExch_system, device)
#undef SIMT_ATOMIC_EXCH

#define SIMT_ATOMIC_CAS(name, scope)                                                           \
  template <simt::OneOf<int, unsigned, simt::ull, unsigned short> T>                           \
  SIMT_ALWAYS_INLINE T name(T* address, simt::Same<T> compare, simt::Same<T> value) {          \
    return simt::atomic(simt::Atomic::cas, address, value, compare, simt::MemoryOrder::legacy, \
                        simt::Scope::scope);                                                   \
  }
SIMT_ATOMIC_CAS(atomicCAS, device)
SIMT_ATOMIC_CAS(atomicCAS_block, block)
SIMT_ATOMIC_CAS(atomicCAS_system, device)
#undef SIMT_ATOMIC_CAS
