// What the PTX instructions that simtcc/translate/ptx.cpp knows become.
#pragma once

#include <cstring>
#include <limits>
#include <type_traits>

#include "simt/device/atomics.h"
#include "simt/device/cuda.h"
#include "simt/device/intrinsics.h"
#include "simt/device/primitives.h"
#include "simt/device/warp.h"
#include "simt/memory/dynamic_shared.h"

namespace simt {
int multiprocessorCount();  // runtime.h's, which programs need not read
// Where an address is: in the thread's own memory, where it is in none of the others.
enum class Space { global, shared, constant, argument, own };
Space spaceOf(const void* address);
}  // namespace simt

namespace simt::ptx {

// In place of PTX that is not translated, in headers of libraries. It is nowhere defined.
void notSupported();

// The bits of an operand as the type that an instruction names, and back into the variable that the
// result goes to: registers have no type.
template <typename To, typename From>
SIMT_ALWAYS_INLINE To as(From value) {
  if constexpr (std::is_same_v<From, bool>) {  // a predicate
    return To(value);
  } else if constexpr (std::is_same_v<To, bool>) {
    return bool(value);
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return To(value);
  } else if constexpr (std::is_pointer_v<From>) {
    return To(reinterpret_cast<uintptr_t>(value));
  } else if constexpr (std::is_floating_point_v<To> && std::is_integral_v<From> &&
                       sizeof(To) != sizeof(From)) {
    return To(value);  // a constant of the text
  } else {
    static_assert(sizeof(To) == sizeof(From), "an operand of another size than the instruction's");
    return __builtin_bit_cast(To, value);
  }
}
template <typename To, typename From>
SIMT_ALWAYS_INLINE void set(To& to, From value) {
  to = as<std::remove_cvref_t<To>>(value);
}

inline unsigned laneId() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}
inline unsigned warpId() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
}
inline unsigned warpCount() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
// Blocks have no multiprocessor of their own here: they are dealt out by turns.
inline unsigned multiprocessors() { return unsigned(multiprocessorCount()); }
inline unsigned multiprocessorId() {
  return unsigned((blockIdx.x + (uint64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x) %
                  multiprocessors());
}
inline unsigned lanesBelow() { return (1u << laneId()) - 1; }

SIMT_ALWAYS_INLINE void barrier(unsigned id, unsigned threads, bool waits) {
  if (id == 0 && waits && (threads == 0 || threads >= blockDim.x * blockDim.y * blockDim.z))
    __syncthreads();
  else
    namedBarrier(id, threads, waits);
}

// shfl.sync, with the segments of a warp and the bound of the source lane as PTX has them in c.
SIMT_ALWAYS_INLINE uint32_t shuffle(Shuffle kind, uint32_t value, uint32_t b, uint32_t c,
                                    uint32_t mask) {
  const int lane = int(laneId()), segment = int(c >> 8 & 31), bound = int(c & 31), by = int(b & 31);
  const int least = lane & segment, last = least | (bound & ~segment);
  int from = kind == Shuffle::up            ? lane - by
             : kind == Shuffle::down        ? lane + by
             : kind == Shuffle::exclusiveOr ? lane ^ by
                                            : least | (by & ~segment);
  if (kind == Shuffle::up ? from < last : from > last) from = lane;
  return __shfl_sync(mask, value, from);
}

template <typename T>
SIMT_ALWAYS_INLINE T shiftLeft(T value, unsigned by) {
  return by >= sizeof(T) * 8 ? T(0) : T(value << by);
}
template <typename T>
SIMT_ALWAYS_INLINE T shiftRight(T value, unsigned by) {
  constexpr unsigned bits = sizeof(T) * 8;
  if (by >= bits) return T(std::is_signed_v<T> ? value >> (bits - 1) : 0);
  return T(value >> by);
}
// Arithmetic that wraps around, as the registers do.
template <typename T>
using Wrapping = std::common_type_t<unsigned, std::make_unsigned_t<T>>;
template <typename T>
SIMT_ALWAYS_INLINE T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(Wrapping<T>(a) + Wrapping<T>(b));
  else
    return a + b;
}
template <typename T>
SIMT_ALWAYS_INLINE T difference(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(Wrapping<T>(a) - Wrapping<T>(b));
  else
    return a - b;
}
template <typename T>
SIMT_ALWAYS_INLINE T product(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(Wrapping<T>(a) * Wrapping<T>(b));
  else
    return a * b;
}

// Fields of bits: no loops and no branches that depend on the value, as one instruction has none.
template <typename Bits>
SIMT_ALWAYS_INLINE Bits lowest(unsigned length) {
  return length >= sizeof(Bits) * 8 ? Bits(~Bits(0)) : Bits((Bits(1) << length) - 1);
}
template <typename T>
SIMT_ALWAYS_INLINE T extract(T value, unsigned position, unsigned length) {
  using Bits = std::make_unsigned_t<T>;
  constexpr unsigned bits = sizeof(T) * 8;
  position &= 255, length &= 255;
  if (length == 0) return 0;
  const unsigned top = position + length - 1 < bits ? position + length - 1 : bits - 1;
  const unsigned given = position < bits ? top + 1 - position : 0;
  const Bits field = shiftRight(Bits(value), position) & lowest<Bits>(given);
  if constexpr (std::is_signed_v<T>)
    return T(field | (Bits(Bits(0) - (Bits(value) >> top & 1)) & Bits(~lowest<Bits>(given))));
  else
    return field;
}
template <typename T>
SIMT_ALWAYS_INLINE T insert(T from, T into, unsigned position, unsigned length) {
  using Bits = std::make_unsigned_t<T>;
  position &= 255, length &= 255;
  const Bits field = shiftLeft(lowest<Bits>(length), position);
  return T((Bits(into) & Bits(~field)) | (shiftLeft(Bits(from), position) & field));
}
template <typename T>
SIMT_ALWAYS_INLINE T logic3(T a, T b, T c, unsigned table) {
  const T notA = T(~a), notB = T(~b), notC = T(~c);
  const auto row = [table](unsigned i, T bits) { return table >> i & 1 ? bits : T(0); };
  return row(0, notA & notB & notC) | row(1, notA & notB & c) | row(2, notA & b & notC) |
         row(3, notA & b & c) | row(4, a & notB & notC) | row(5, a & notB & c) |
         row(6, a & b & notC) | row(7, a & b & c);
}
template <typename T>
SIMT_ALWAYS_INLINE unsigned leadingZeros(T value) {
  constexpr unsigned bits = sizeof(T) * 8;
  return value == 0 ? bits : bits - 64 + unsigned(__builtin_clzll(value));
}
template <typename T>
SIMT_ALWAYS_INLINE unsigned highestBit(T value) {
  if constexpr (std::is_signed_v<T>)
    return highestBit(std::make_unsigned_t<T>(value < 0 ? ~value : value));
  else
    return value == 0 ? 0xffffffffu : 63 - unsigned(__builtin_clzll(value));
}
template <typename T>
SIMT_ALWAYS_INLINE T multiplyHigh(T a, T b) {
  if constexpr (sizeof(T) == 4)
    return T((std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>(a) * b) >> 32);
  else if constexpr (std::is_signed_v<T>)
    return __mul64hi(a, b);
  else
    return __umul64hi(a, b);
}
template <typename T>
using Wide =
    std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                       std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

// Sums of several words: what is carried into this one, and out of it.
template <typename T>
SIMT_ALWAYS_INLINE T carried(T a, T b, bool in, bool& out) {
  const T sum = T(a + b + in);
  out = sum < a || (in && sum == a);
  return sum;
}
template <typename T>
SIMT_ALWAYS_INLINE T borrowed(T a, T b, bool in, bool& out) {
  out = a < b || (in && a == b);
  return T(a - b - in);
}
// The running thread's: from one statement to another.
bool carryLeft();
void leaveCarry(bool carry);
template <typename T, typename Half>
SIMT_ALWAYS_INLINE T joined(Half low, Half high) {
  return T(T(high) << sizeof(Half) * 8 | low);
}
// What is beyond the type becomes its last number, and what is none 0.
template <typename To, typename From>
SIMT_ALWAYS_INLINE To converted(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (!(value == value)) return 0;
    if (value <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (value >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  }
  return To(value);
}

// Where an address operand points.
template <typename T, typename Address>
SIMT_ALWAYS_INLINE T* at(Address address, long long offset) {
  uintptr_t bits;
  if constexpr (std::is_pointer_v<Address>)
    bits = reinterpret_cast<uintptr_t>(address);
  else
    bits = uintptr_t(address);
  return reinterpret_cast<T*>(bits + uintptr_t(offset));
}

}  // namespace simt::ptx

#include "simtcc/runtime/ptx_matrices.h"

inline size_t __cvta_generic_to_shared(const void* pointer) { return simt::sharedAddress(pointer); }
inline unsigned __isGlobal(const void* p) { return simt::spaceOf(p) == simt::Space::global; }
inline unsigned __isShared(const void* p) { return simt::spaceOf(p) == simt::Space::shared; }
inline unsigned __isConstant(const void* p) { return simt::spaceOf(p) == simt::Space::constant; }
inline unsigned __isLocal(const void* p) { return simt::spaceOf(p) == simt::Space::own; }
inline unsigned __isGridConstant(const void* p) {
  return simt::spaceOf(p) == simt::Space::argument;
}
inline void __prof_trigger(int) {}
inline void* __cvta_shared_to_generic(size_t address) { return simt::sharedPointer(address); }
