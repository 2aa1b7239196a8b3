// Functions that CUDA has for kernels beside those of C: bits, rounding, conversions, fast
// mathematics. What the hardware only approximates is computed as well as the host can.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/device/simd_words.h"
#include "simt/device/vectors.h"

namespace simt {

// How a result that does not fit is rounded: to the nearest, towards zero, up, down.
enum class Rounding { rn, rz, ru, rd };
// Defined for float and double, and the results int, unsigned, long long and unsigned long long;
// what is out of range becomes the nearest number, NaN becomes 0.
template <typename To, typename From>
To toInteger(From value, Rounding rounding);
// Of every integer type of four and eight bytes, and of double to float.
template <typename To, typename From>
To toFloating(From value, Rounding rounding);
template <typename T>
T addRounded(T a, T b, Rounding rounding);
template <typename T>
T multiplyRounded(T a, T b, Rounding rounding);
template <typename T>
T divideRounded(T a, T b, Rounding rounding);
template <typename T>
T squareRootRounded(T a, Rounding rounding);
template <typename T>
T fmaRounded(T a, T b, T c, Rounding rounding);

uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector);
// Products of four bytes each, added to c.
int32_t addProducts(int32_t a, int32_t b, int32_t c);
uint32_t addProducts(uint32_t a, uint32_t b, uint32_t c);
long long clockTicks();  // nanoseconds of this computer

}  // namespace simt

// ---- Loads, stores, bits

// Loads and stores with cache hints: the executor has no caches, so they are plain.
#define SIMT_LOAD(name)                         \
  template <typename T>                         \
  SIMT_ALWAYS_INLINE T name(const T* address) { \
    return *address;                            \
  }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldcv)
SIMT_LOAD(__ldlu)
#undef SIMT_LOAD
#define SIMT_STORE(name)                                                    \
  template <typename T>                                                     \
  SIMT_ALWAYS_INLINE void name(T* address, std::type_identity_t<T> value) { \
    *address = value;                                                       \
  }
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)
#undef SIMT_STORE

constexpr int __popc(unsigned x) { return __builtin_popcount(x); }
constexpr int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
constexpr int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
constexpr int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)(x));
}
constexpr int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz(unsigned(x)) + 1; }
constexpr int __ffsll(long long x) {
  return x == 0 ? 0 : __builtin_ctzll((unsigned long long)(x)) + 1;
}
// Where the bit is that is the nth set one from bit base on, upwards where n is positive; -1: none.
constexpr unsigned __fns(unsigned mask, unsigned base, int n) {
  int at = int(base);
  if (n == 0) return mask >> (base & 31) & 1 ? base : ~0u;
  for (; at >= 0 && at<32; at += n> 0 ? 1 : -1)
    if (mask >> at & 1 && (n > 0 ? --n : ++n) == 0) return unsigned(at);
  return ~0u;
}
constexpr unsigned __brev(unsigned x) {
#if __has_builtin(__builtin_bitreverse32)  // one instruction of a GPU
  return __builtin_bitreverse32(x);
#endif
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
constexpr unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)(__brev(unsigned(x))) << 32 | __brev(unsigned(x >> 32));
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  return simt::permuteBytes(a, b, selector);
}
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((uint64_t(high) << 32 | low) << (shift & 31)) >> 32);
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned((uint64_t(high) << 32 | low) >> (shift & 31));
}
constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// ---- Whole numbers

constexpr int __mul24(int a, int b) {
  return int(unsigned((a << 8) >> 8) * unsigned((b << 8) >> 8));
}
constexpr unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
constexpr int __mulhi(int a, int b) { return int((long long)(a)*b >> 32); }
constexpr unsigned __umulhi(unsigned a, unsigned b) { return unsigned(uint64_t(a) * b >> 32); }
__extension__ constexpr long long __mul64hi(long long a, long long b) {
  return (long long)(__int128(a) * b >> 64);
}
__extension__ constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)(a)*b >> 64);
}
constexpr unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a));
}
constexpr unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}
constexpr int __hadd(int a, int b) { return int(((long long)(a) + b) >> 1); }
constexpr int __rhadd(int a, int b) { return int(((long long)(a) + b + 1) >> 1); }
constexpr unsigned __uhadd(unsigned a, unsigned b) { return unsigned((uint64_t(a) + b) >> 1); }
constexpr unsigned __urhadd(unsigned a, unsigned b) { return unsigned((uint64_t(a) + b + 1) >> 1); }
inline int __dp4a(int a, int b, int c) { return simt::addProducts(a, b, c); }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return simt::addProducts(a, b, c); }
// Two halves of a and the lower or upper two bytes of b.
constexpr int __dp2a_lo(int a, int b, int c) {
  return c + int(int16_t(a)) * int8_t(b) + int(int16_t(a >> 16)) * int8_t(b >> 8);
}
constexpr unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
constexpr int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
constexpr unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return __dp2a_lo(a, b >> 16, c);
}
// The same of vectors, which are words.
inline int __dp4a(const char4& a, const char4& b, int c) {
  int words[2];
  std::memcpy(&words[0], &a, 4), std::memcpy(&words[1], &b, 4);
  return __dp4a(words[0], words[1], c);
}
inline unsigned __dp4a(const uchar4& a, const uchar4& b, unsigned c) {
  unsigned words[2];
  std::memcpy(&words[0], &a, 4), std::memcpy(&words[1], &b, 4);
  return __dp4a(words[0], words[1], c);
}
inline int __dp2a_lo(const short2& a, const char4& b, int c) { return c + a.x * b.x + a.y * b.y; }
inline int __dp2a_hi(const short2& a, const char4& b, int c) { return c + a.x * b.z + a.y * b.w; }

#define SIMT_MIN_MAX(Result, A, B)                                       \
  constexpr Result min(A a, B b) {                                       \
    const Result x = static_cast<Result>(a), y = static_cast<Result>(b); \
    return y < x ? y : x;                                                \
  }                                                                      \
  constexpr Result max(A a, B b) {                                       \
    const Result x = static_cast<Result>(a), y = static_cast<Result>(b); \
    return x < y ? y : x;                                                \
  }
#define SIMT_MIN_MAX_SIGNS(T)                      \
  SIMT_MIN_MAX(T, T, T)                            \
  SIMT_MIN_MAX(unsigned T, unsigned T, unsigned T) \
  SIMT_MIN_MAX(unsigned T, T, unsigned T)          \
  SIMT_MIN_MAX(unsigned T, unsigned T, T)
SIMT_MIN_MAX_SIGNS(int)
SIMT_MIN_MAX_SIGNS(long)
SIMT_MIN_MAX_SIGNS(long long)
#undef SIMT_MIN_MAX_SIGNS
#undef SIMT_MIN_MAX
#define SIMT_MIN_MAX(Result, A, B)                                   \
  inline Result min(A a, B b) { return fmin(Result(a), Result(b)); } \
  inline Result max(A a, B b) { return fmax(Result(a), Result(b)); }
SIMT_MIN_MAX(float, float, float)
SIMT_MIN_MAX(double, double, double)
SIMT_MIN_MAX(double, float, double)
SIMT_MIN_MAX(double, double, float)
#undef SIMT_MIN_MAX
constexpr unsigned umin(unsigned a, unsigned b) { return min(a, b); }
constexpr unsigned umax(unsigned a, unsigned b) { return max(a, b); }
constexpr long long llmin(long long a, long long b) { return min(a, b); }
constexpr long long llmax(long long a, long long b) { return max(a, b); }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

// ---- Bits of floating-point numbers

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) { return int(__builtin_bit_cast(uint64_t, x) >> 32); }
inline int __double2loint(double x) { return int(__builtin_bit_cast(uint64_t, x)); }
inline double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}

// ---- Conversions and arithmetic with a rounding of their own

#define SIMT_ROUNDED(mode)                                                                         \
  inline int __float2int_##mode(float x) { return simt::toInteger<int>(x, simt::Rounding::mode); } \
  inline unsigned __float2uint_##mode(float x) {                                                   \
    return simt::toInteger<unsigned>(x, simt::Rounding::mode);                                     \
  }                                                                                                \
  inline long long __float2ll_##mode(float x) {                                                    \
    return simt::toInteger<long long>(x, simt::Rounding::mode);                                    \
  }                                                                                                \
  inline unsigned long long __float2ull_##mode(float x) {                                          \
    return simt::toInteger<unsigned long long>(x, simt::Rounding::mode);                           \
  }                                                                                                \
  inline int __double2int_##mode(double x) {                                                       \
    return simt::toInteger<int>(x, simt::Rounding::mode);                                          \
  }                                                                                                \
  inline unsigned __double2uint_##mode(double x) {                                                 \
    return simt::toInteger<unsigned>(x, simt::Rounding::mode);                                     \
  }                                                                                                \
  inline long long __double2ll_##mode(double x) {                                                  \
    return simt::toInteger<long long>(x, simt::Rounding::mode);                                    \
  }                                                                                                \
  inline unsigned long long __double2ull_##mode(double x) {                                        \
    return simt::toInteger<unsigned long long>(x, simt::Rounding::mode);                           \
  }                                                                                                \
  inline float __int2float_##mode(int x) {                                                         \
    return simt::toFloating<float>(x, simt::Rounding::mode);                                       \
  }                                                                                                \
  inline float __uint2float_##mode(unsigned x) {                                                   \
    return simt::toFloating<float>(x, simt::Rounding::mode);                                       \
  }                                                                                                \
  inline float __ll2float_##mode(long long x) {                                                    \
    return simt::toFloating<float>(x, simt::Rounding::mode);                                       \
  }                                                                                                \
  inline float __ull2float_##mode(unsigned long long x) {                                          \
    return simt::toFloating<float>(x, simt::Rounding::mode);                                       \
  }                                                                                                \
  inline double __ll2double_##mode(long long x) {                                                  \
    return simt::toFloating<double>(x, simt::Rounding::mode);                                      \
  }                                                                                                \
  inline double __ull2double_##mode(unsigned long long x) {                                        \
    return simt::toFloating<double>(x, simt::Rounding::mode);                                      \
  }                                                                                                \
  inline float __double2float_##mode(double x) {                                                   \
    return simt::toFloating<float>(x, simt::Rounding::mode);                                       \
  }                                                                                                \
  SIMT_ARITHMETIC(float, f, mode)                                                                  \
  SIMT_ARITHMETIC(double, d, mode)                                                                 \
  inline float __fmaf_##mode(float a, float b, float c) {                                          \
    return simt::fmaRounded(a, b, c, simt::Rounding::mode);                                        \
  }                                                                                                \
  inline double __fma_##mode(double a, double b, double c) {                                       \
    return simt::fmaRounded(a, b, c, simt::Rounding::mode);                                        \
  }
#define SIMT_ARITHMETIC(T, letter, mode)                       \
  inline T __##letter##add_##mode(T a, T b) {                  \
    return simt::addRounded(a, b, simt::Rounding::mode);       \
  }                                                            \
  inline T __##letter##sub_##mode(T a, T b) {                  \
    return simt::addRounded(a, -b, simt::Rounding::mode);      \
  }                                                            \
  inline T __##letter##mul_##mode(T a, T b) {                  \
    return simt::multiplyRounded(a, b, simt::Rounding::mode);  \
  }                                                            \
  inline T __##letter##div_##mode(T a, T b) {                  \
    return simt::divideRounded(a, b, simt::Rounding::mode);    \
  }                                                            \
  inline T __##letter##rcp_##mode(T a) {                       \
    return simt::divideRounded(T(1), a, simt::Rounding::mode); \
  }                                                            \
  inline T __##letter##sqrt_##mode(T a) { return simt::squareRootRounded(a, simt::Rounding::mode); }
SIMT_ROUNDED(rn)
SIMT_ROUNDED(rz)
SIMT_ROUNDED(ru)
SIMT_ROUNDED(rd)
#undef SIMT_ARITHMETIC
#undef SIMT_ROUNDED
constexpr double __int2double_rn(int x) { return x; }
constexpr double __uint2double_rn(unsigned x) { return x; }

// ---- Time, and the rest

inline long long clock64() { return simt::clockTicks(); }
inline unsigned long long __globaltimer() { return (unsigned long long)(simt::clockTicks()); }
inline void __nanosleep(unsigned) {}
[[noreturn]] inline void __trap() { __builtin_trap(); }

#include "simt/device/mathematics.h"
