// Atomics, for the GPU compiler. Those of the whole system are those of the device: there is one.
#pragma once

#include "simt/device/primitives.h"
#include "simt/device/warp.h"

namespace simt {

template <typename T, typename... Allowed>
concept OneOf = (std::is_same_v<T, Allowed> || ...);
template <typename T>
using Same = std::type_identity_t<T>;
using ull = unsigned long long;

// Of an exchange whose result nobody reads clang++ makes a store, but of a volatile one, and nvcc
// does not.
template <typename T>
SIMT_DEVICE T exchanged(volatile T* p, T value, int order) {
  return __atomic_exchange_n(p, value, order);
}
template <Atomic kind, typename T>
SIMT_DEVICE T atomically(T* p, T v, T compare = T()) {
  constexpr int order = __ATOMIC_RELAXED;
  if constexpr (kind == Atomic::cas && sizeof(T) == 2) {
    T before;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(before)
                 : "l"(p), "h"(compare), "h"(v)
                 : "memory");
    return before;
  } else if constexpr (kind == Atomic::cas) {
    __atomic_compare_exchange_n(p, &compare, v, false, order, order);
    return compare;
  } else if constexpr (kind == Atomic::inc) {
    return __nvvm_atom_inc_gen_ui(p, v);
  } else if constexpr (kind == Atomic::dec) {
    return __nvvm_atom_dec_gen_ui(p, v);
  } else if constexpr (std::is_same_v<T, float>) {
    if constexpr (kind == Atomic::add) return __nvvm_atom_add_gen_f(p, v);
    return std::bit_cast<float>(
        exchanged<unsigned>(reinterpret_cast<unsigned*>(p), std::bit_cast<unsigned>(v), order));
  } else if constexpr (std::is_same_v<T, double>) {
    return __nvvm_atom_add_gen_d(p, v);
  } else {
    if constexpr (kind == Atomic::add) return __atomic_fetch_add(p, v, order);
    if constexpr (kind == Atomic::sub) return __atomic_fetch_sub(p, v, order);
    if constexpr (kind == Atomic::min) return __atomic_fetch_min(p, v, order);
    if constexpr (kind == Atomic::max) return __atomic_fetch_max(p, v, order);
    if constexpr (kind == Atomic::exch) return exchanged<T>(p, v, order);
    if constexpr (kind == Atomic::bitAnd) return __atomic_fetch_and(p, v, order);
    if constexpr (kind == Atomic::bitOr) return __atomic_fetch_or(p, v, order);
    if constexpr (kind == Atomic::bitXor) return __atomic_fetch_xor(p, v, order);
    if constexpr (kind == Atomic::load) return *const_cast<volatile T*>(p);
  }
}
// Numbers of 16 bits, and pairs of them, are added; more is not done with them at once.
template <typename T>
constexpr int exponentBitsOf = 0;
template <template <int> typename Small, int bits>
constexpr int exponentBitsOf<Small<bits>> = bits;
template <template <typename> typename Pair, template <int> typename Small, int bits>
constexpr int exponentBitsOf<Pair<Small<bits>>> = bits;
template <typename T>
SIMT_DEVICE T addSmall(T* address, T value) {
  constexpr bool isHalf = exponentBitsOf<T> == 5;
  std::conditional_t<sizeof(T) == 2, unsigned short, unsigned> bits, before;
  __builtin_memcpy(&bits, &value, sizeof value);
#define SIMT_ADD(type, code)                           \
  asm volatile("atom.add.noftz." type " %0, [%1], %2;" \
               : "=" code(before)                      \
               : "l"(address), code(bits)              \
               : "memory")
  if constexpr (sizeof(T) == 2 && isHalf)
    SIMT_ADD("f16", "h");
  else if constexpr (sizeof(T) == 2)
    SIMT_ADD("bf16", "h");
  else if constexpr (isHalf)
    SIMT_ADD("f16x2", "r");
  else
    SIMT_ADD("bf16x2", "r");
#undef SIMT_ADD
  __builtin_memcpy(&value, &before, sizeof value);
  return value;
}

// As the executor's, with an order: a release waits for what was stored before it.
template <typename T>
SIMT_DEVICE T atomic(Atomic kind, T* address, T value, T compare = T(),
                     MemoryOrder order = MemoryOrder::legacy, Scope scope = Scope::device) {
  if constexpr (exponentBitsOf<T> != 0)
    return addSmall(address, value);
  else {
    if (order == MemoryOrder::release || order == MemoryOrder::acquireRelease) fence(scope);
    T result = T();
    if (kind == Atomic::add) result = atomically<Atomic::add>(address, value);
    if (kind == Atomic::exch) result = atomically<Atomic::exch>(address, value);
    if (kind == Atomic::store) *const_cast<volatile T*>(address) = value;
    if (kind == Atomic::load) result = *const_cast<volatile T*>(address);
    if constexpr (std::is_integral_v<T>) {
      if (kind == Atomic::sub) result = atomically<Atomic::sub>(address, value);
      if (kind == Atomic::min) result = atomically<Atomic::min>(address, value);
      if (kind == Atomic::max) result = atomically<Atomic::max>(address, value);
      if (kind == Atomic::bitAnd) result = atomically<Atomic::bitAnd>(address, value);
      if (kind == Atomic::bitOr) result = atomically<Atomic::bitOr>(address, value);
      if (kind == Atomic::bitXor) result = atomically<Atomic::bitXor>(address, value);
      if (kind == Atomic::cas) result = atomically<Atomic::cas>(address, value, compare);
    }
    if (order == MemoryOrder::acquire || order == MemoryOrder::acquireRelease) fence(scope);
    return result;
  }
}

template <typename T>
SIMT_DEVICE T exchange(T* address, T value, MemoryOrder order = MemoryOrder::legacy,
                       Scope scope = Scope::device) {
  return atomic(Atomic::exch, address, value, T(), order, scope);
}

}  // namespace simt

#define SIMT_ATOMIC(name, kind, ...)                             \
  template <simt::OneOf<__VA_ARGS__> T>                          \
  SIMT_DEVICE T name(T* address, simt::Same<T> value) {          \
    return simt::atomically<simt::Atomic::kind>(address, value); \
  }                                                              \
  template <simt::OneOf<__VA_ARGS__> T>                          \
  SIMT_DEVICE T name##_block(T* address, simt::Same<T> value) {  \
    return simt::atomically<simt::Atomic::kind>(address, value); \
  }                                                              \
  template <simt::OneOf<__VA_ARGS__> T>                          \
  SIMT_DEVICE T name##_system(T* address, simt::Same<T> value) { \
    return simt::atomically<simt::Atomic::kind>(address, value); \
  }
SIMT_ATOMIC(atomicAdd, add, int, unsigned, simt::ull, float, double)
SIMT_ATOMIC(atomicSub, sub, int, unsigned)
SIMT_ATOMIC(atomicMin, min, int, unsigned, long long, simt::ull)
SIMT_ATOMIC(atomicMax, max, int, unsigned, long long, simt::ull)
SIMT_ATOMIC(atomicExch, exch, int, unsigned, simt::ull, float)
SIMT_ATOMIC(atomicInc, inc, unsigned)
SIMT_ATOMIC(atomicDec, dec, unsigned)
SIMT_ATOMIC(atomicAnd, bitAnd, int, unsigned, simt::ull)
SIMT_ATOMIC(atomicOr, bitOr, int, unsigned, simt::ull)
SIMT_ATOMIC(atomicXor, bitXor, int, unsigned, simt::ull)
#undef SIMT_ATOMIC

#define SIMT_ATOMIC_CAS(name)                                                  \
  template <simt::OneOf<int, unsigned, simt::ull, unsigned short> T>           \
  SIMT_DEVICE T name(T* address, simt::Same<T> compare, simt::Same<T> value) { \
    return simt::atomically<simt::Atomic::cas, T>(address, value, compare);    \
  }
SIMT_ATOMIC_CAS(atomicCAS)
SIMT_ATOMIC_CAS(atomicCAS_block)
SIMT_ATOMIC_CAS(atomicCAS_system)
#undef SIMT_ATOMIC_CAS
