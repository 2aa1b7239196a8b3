// The CUDA names a kernel may use, for the host compiler: threads are fibers of the executor.
// What is not here does not compile, so a kernel never runs with another meaning than on a GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "simt/primitives.h"
#include "simt/vectors.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ SIMT_ALWAYS_INLINE
#define __launch_bounds__(...)
// One OS thread runs all fibers of all blocks, one block at a time, so that a thread_local variable
// is exactly one per block. The unused neighbour keeps two shared arrays from touching.
#define SIMT_JOIN_(a, b) a##b
#define SIMT_JOIN(a, b) SIMT_JOIN_(a, b)
#ifdef __clang__
#define SIMT_STATIC thread_local
#else
#define SIMT_STATIC constinit thread_local  // g++ would guard a vector's initialisation otherwise
#endif
#define __shared__                                                          \
  [[maybe_unused]] thread_local char SIMT_JOIN(simt_gap_, __COUNTER__)[256] \
      __attribute__((used, aligned(256)));                                  \
  alignas(16) SIMT_STATIC

// Constant for the thread that reads them, so that the compiler does not treat them as memory
// accesses of the kernel; the executor sets them whenever it switches threads.
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;

namespace simt {

template <typename T>
SIMT_ALWAYS_INLINE T shuffleAny(Shuffle kind, unsigned mask, T value, int lane, int width) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "shuffles move 4- and 8-byte numbers");
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return std::bit_cast<T>(Bits(shuffle(kind, mask, std::bit_cast<Bits>(value), lane, width)));
}

template <typename T, typename... Allowed>
concept OneOf = (std::is_same_v<T, Allowed> || ...);
template <typename T>
using Same = std::type_identity_t<T>;
using ull = unsigned long long;

}  // namespace simt

// In every build: the executor is where kernels are tried.
#undef assert
#define assert(condition) \
  ((condition) ? (void)0 : simt::assertFailed(#condition, __FILE__, __LINE__))

// Barriers.
SIMT_ALWAYS_INLINE void __syncthreads(int line = __builtin_LINE()) {
  simt::blockBarrier(0, 0, line);
}
SIMT_ALWAYS_INLINE int __syncthreads_count(int p, int line = __builtin_LINE()) {
  return simt::blockBarrier(p, 1, line);
}
SIMT_ALWAYS_INLINE int __syncthreads_and(int p, int line = __builtin_LINE()) {
  return simt::blockBarrier(p, 2, line);
}
SIMT_ALWAYS_INLINE int __syncthreads_or(int p, int line = __builtin_LINE()) {
  return simt::blockBarrier(p, 3, line);
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

// Atomics, for the types CUDA has them for.
#define SIMT_ATOMIC(name, kind, ...)                           \
  template <simt::OneOf<__VA_ARGS__> T>                        \
  SIMT_ALWAYS_INLINE T name(T* address, simt::Same<T> value) { \
    return simt::atomic(simt::Atomic::kind, address, value);   \
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
template <simt::OneOf<int, unsigned, simt::ull> T>
SIMT_ALWAYS_INLINE T atomicCAS(T* address, simt::Same<T> compare, simt::Same<T> value) {
  return simt::atomic(simt::Atomic::cas, address, value, compare);
}

// Loads and stores with cache hints: the executor has no caches, so they are plain.
template <typename T>
SIMT_ALWAYS_INLINE T __ldg(const T* address) {
  return *address;
}
template <typename T>
SIMT_ALWAYS_INLINE T __ldcs(const T* address) {
  return *address;
}
template <typename T>
SIMT_ALWAYS_INLINE T __ldcg(const T* address) {
  return *address;
}
template <typename T>
SIMT_ALWAYS_INLINE void __stcs(T* address, T value) {
  *address = value;
}

template <typename A, typename B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr auto min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return T(b) < T(a) ? T(b) : T(a);
}
template <typename A, typename B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr auto max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return T(a) < T(b) ? T(b) : T(a);
}
constexpr int __popc(unsigned x) { return std::popcount(x); }
constexpr int __clz(int x) { return std::countl_zero(unsigned(x)); }
constexpr int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(unsigned(x)) + 1; }
