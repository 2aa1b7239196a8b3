// Atomics that nvcc knows without a header: __nv_atomic_fetch_add(address, value, order, scope) and
// the like.
#pragma once

#include <type_traits>

#include "simt/device/atomics.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace simt::nv {

inline MemoryOrder orderOf(int order) {
  return order == __NV_ATOMIC_RELAXED   ? MemoryOrder::relaxed
         : order == __NV_ATOMIC_RELEASE ? MemoryOrder::release
         : order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_CONSUME
             ? MemoryOrder::acquire
             : MemoryOrder::acquireRelease;
}
inline Scope scopeOf(int scope) {
  return scope <= __NV_THREAD_SCOPE_BLOCK ? Scope::block : Scope::device;
}
// Loads, stores and exchanges of any type go by its bits.
template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, unsigned, ull>;
template <typename T>
SIMT_ALWAYS_INLINE T ofBits(Atomic kind, T* address, T value, T compare, int order, int scope) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomics of 4 and 8 bytes");
  using Raw = Bits<T>;
  return __builtin_bit_cast(
      T, atomic(kind, reinterpret_cast<Raw*>(address), __builtin_bit_cast(Raw, value),
                __builtin_bit_cast(Raw, compare), orderOf(order), scopeOf(scope)));
}
// Arithmetic: of the type that the executor has for it.
template <typename T>
using Number = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
                       std::conditional_t<std::is_signed_v<T>, long long, ull>>>;
template <typename T>
SIMT_ALWAYS_INLINE T compute(Atomic kind, T* address, T value, int order, int scope) {
  using Its = Number<T>;
  return T(atomic(kind, reinterpret_cast<Its*>(address), Its(value), Its(), orderOf(order),
                  scopeOf(scope)));
}

}  // namespace simt::nv

template <typename T>
SIMT_ALWAYS_INLINE T __nv_atomic_load_n(const T* address, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return simt::nv::ofBits(simt::Atomic::load, const_cast<T*>(address), T(), T(), order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE void __nv_atomic_load(const T* address, T* result, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_load_n(address, order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE void __nv_atomic_store_n(T* address, simt::Same<T> value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  simt::nv::ofBits(simt::Atomic::store, address, value, T(), order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE void __nv_atomic_store(T* address, const T* value, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(address, *value, order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE T __nv_atomic_exchange_n(T* address, simt::Same<T> value, int order,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return simt::nv::ofBits(simt::Atomic::exch, address, value, T(), order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE void __nv_atomic_exchange(T* address, const T* value, T* result, int order,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = __nv_atomic_exchange_n(address, *value, order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE bool __nv_atomic_compare_exchange_n(T* address, T* expected, simt::Same<T> value,
                                                       bool, int order, int,
                                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const T wanted = *expected;
  *expected = simt::nv::ofBits(simt::Atomic::cas, address, T(value), wanted, order, scope);
  return __builtin_memcmp(expected, &wanted, sizeof(T)) == 0;
}
template <typename T>
SIMT_ALWAYS_INLINE bool __nv_atomic_compare_exchange(T* address, T* expected, const T* value,
                                                     bool weak, int order, int failure,
                                                     int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(address, expected, *value, weak, order, failure, scope);
}
#define SIMT_NV_ATOMIC(name, kind)                                                          \
  template <typename T>                                                                     \
  SIMT_ALWAYS_INLINE T __nv_atomic_fetch_##name(T* address, simt::Same<T> value, int order, \
                                                int scope = __NV_THREAD_SCOPE_SYSTEM) {     \
    return simt::nv::compute(simt::Atomic::kind, address, value, order, scope);             \
  }                                                                                         \
  template <typename T>                                                                     \
  SIMT_ALWAYS_INLINE void __nv_atomic_##name(T* address, simt::Same<T> value, int order,    \
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {        \
    simt::nv::compute(simt::Atomic::kind, address, value, order, scope);                    \
  }
SIMT_NV_ATOMIC(add, add)
SIMT_NV_ATOMIC(min, min)
SIMT_NV_ATOMIC(max, max)
SIMT_NV_ATOMIC(and, bitAnd)
SIMT_NV_ATOMIC(or, bitOr)
SIMT_NV_ATOMIC(xor, bitXor)
#undef SIMT_NV_ATOMIC
template <typename T>
SIMT_ALWAYS_INLINE T __nv_atomic_fetch_sub(T* address, simt::Same<T> value, int order,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_fetch_add(address, T(-value), order, scope);
}
template <typename T>
SIMT_ALWAYS_INLINE void __nv_atomic_sub(T* address, simt::Same<T> value, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_fetch_add(address, T(-value), order, scope);
}
inline void __nv_atomic_thread_fence(int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  simt::fence(simt::nv::scopeOf(scope));
}
