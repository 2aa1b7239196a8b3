// Floating-point numbers of 16 bits, IEEE's half and Google's bfloat16, and pairs of them.
// Arithmetic is done in float and rounded once. cuda_fp16.h and cuda_bf16.h give them CUDA's names.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simt/device/atomics.h"
#include "simt/device/intrinsics.h"
#include "simt/device/warp.h"

namespace simt {

// exponent bits 5: half; 8: bfloat16. Rounds to nearest, ties to even.
uint16_t smallFromFloat(float value, int exponentBits);
uint16_t smallFromDouble(double value, int exponentBits);
uint16_t smallFromDouble(double value, int exponentBits, Rounding rounding);
float floatFromSmall(uint16_t bits, int exponentBits);

template <int exponentBits>
struct SmallFloat {
  uint16_t bits;

  SmallFloat() = default;
  SmallFloat(float value) : bits(smallFromFloat(value, exponentBits)) {}
  SmallFloat(double value) : bits(smallFromDouble(value, exponentBits)) {}
  template <typename T>
  requires std::is_integral_v<T> SmallFloat(T value)
      : bits(smallFromDouble(double(value), exponentBits)) {}
  template <typename Raw>  // __half_raw and its kin
  requires(std::is_class_v<Raw>&& std::is_same_v<decltype(Raw::x), unsigned short>)
      SmallFloat(Raw raw)
      : bits(raw.x) {}
  operator float() const { return floatFromSmall(bits, exponentBits); }

  friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return float(a) + float(b); }
  friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return float(a) - float(b); }
  friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return float(a) * float(b); }
  friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return float(a) / float(b); }
  friend SmallFloat operator-(SmallFloat a) { return -float(a); }
  SmallFloat& operator+=(SmallFloat b) { return *this = *this + b; }
  SmallFloat& operator-=(SmallFloat b) { return *this = *this - b; }
  SmallFloat& operator*=(SmallFloat b) { return *this = *this * b; }
  SmallFloat& operator/=(SmallFloat b) { return *this = *this / b; }
  SmallFloat& operator++() { return *this += SmallFloat(1.0f); }
  SmallFloat& operator--() { return *this -= SmallFloat(1.0f); }
  SmallFloat operator++(int) {
    const SmallFloat before = *this;
    ++*this;
    return before;
  }
  SmallFloat operator--(int) {
    const SmallFloat before = *this;
    --*this;
    return before;
  }
  friend bool operator==(SmallFloat a, SmallFloat b) { return float(a) == float(b); }
  friend bool operator!=(SmallFloat a, SmallFloat b) { return float(a) != float(b); }
  friend bool operator<(SmallFloat a, SmallFloat b) { return float(a) < float(b); }
  friend bool operator>(SmallFloat a, SmallFloat b) { return float(a) > float(b); }
  friend bool operator<=(SmallFloat a, SmallFloat b) { return float(a) <= float(b); }
  friend bool operator>=(SmallFloat a, SmallFloat b) { return float(a) >= float(b); }
};
using Half = SmallFloat<5>;
using Brain = SmallFloat<8>;

// Two of them, loaded and stored as one word.
template <typename F>
struct alignas(4) Pair {
  F x, y;
  Pair() = default;
  Pair(F x_, F y_) : x(x_), y(y_) {}
  SIMT_ALWAYS_INLINE Pair(const Pair& v) { copyVector(this, &v, sizeof v); }
  SIMT_ALWAYS_INLINE Pair& operator=(const Pair& v) {
    copyVector(this, &v, sizeof v);
    return *this;
  }
  friend Pair operator+(const Pair& a, const Pair& b) { return {a.x + b.x, a.y + b.y}; }
  friend Pair operator-(const Pair& a, const Pair& b) { return {a.x - b.x, a.y - b.y}; }
  friend Pair operator*(const Pair& a, const Pair& b) { return {a.x * b.x, a.y * b.y}; }
  friend Pair operator/(const Pair& a, const Pair& b) { return {a.x / b.x, a.y / b.y}; }
  friend Pair operator-(const Pair& a) { return {-a.x, -a.y}; }
  Pair& operator+=(const Pair& b) { return *this = *this + b; }
  Pair& operator-=(const Pair& b) { return *this = *this - b; }
  Pair& operator*=(const Pair& b) { return *this = *this * b; }
  Pair& operator/=(const Pair& b) { return *this = *this / b; }
};

template <typename T>
constexpr bool isSmall = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;
template <typename T>
concept Small = isSmall<T>;

template <>
inline constexpr bool isShuffled<Half> = true;
template <>
inline constexpr bool isShuffled<Brain> = true;

// F's neighbours with the rounding that conversions to integers name.
template <typename F>
F fusedMultiplyAdd(F a, F b, F c) {
  return F(double(float(a)) * double(float(b)) + double(float(c)));
}

}  // namespace simt

// A pair's shuffle moves both.
#define SIMT_PAIR_SHUFFLE(name, Lane)                                                   \
  template <simt::Small F>                                                              \
  SIMT_ALWAYS_INLINE simt::Pair<F> name(unsigned mask, simt::Pair<F> value, Lane lane,  \
                                        int width = warpSize) {                         \
    const unsigned bits =                                                               \
        name(mask, unsigned(value.x.bits) | unsigned(value.y.bits) << 16, lane, width); \
    value.x.bits = uint16_t(bits);                                                      \
    value.y.bits = uint16_t(bits >> 16);                                                \
    return value;                                                                       \
  }
SIMT_PAIR_SHUFFLE(__shfl_sync, int)
SIMT_PAIR_SHUFFLE(__shfl_xor_sync, int)
SIMT_PAIR_SHUFFLE(__shfl_up_sync, unsigned)
SIMT_PAIR_SHUFFLE(__shfl_down_sync, unsigned)
#undef SIMT_PAIR_SHUFFLE

template <simt::Small F>
SIMT_ALWAYS_INLINE F atomicAdd(F* address, simt::Same<F> value) {
  return simt::atomic(simt::Atomic::add, address, value);
}
template <simt::Small F>
SIMT_ALWAYS_INLINE simt::Pair<F> atomicAdd(simt::Pair<F>* address,
                                           simt::Same<simt::Pair<F>> value) {
  return simt::atomic(simt::Atomic::add, address, value);
}

// Arithmetic, comparison and mathematics of one number and of pairs.
#define SIMT_SMALL_BINARY(name, name2, expression)                           \
  template <simt::Small F>                                                   \
  inline F name(F a, simt::Same<F> b) {                                      \
    return expression;                                                       \
  }                                                                          \
  template <simt::Small F>                                                   \
  inline simt::Pair<F> name2(simt::Pair<F> a, simt::Same<simt::Pair<F>> b) { \
    return {name(a.x, b.x), name(a.y, b.y)};                                 \
  }
SIMT_SMALL_BINARY(__hadd, __hadd2, a + b)
SIMT_SMALL_BINARY(__hsub, __hsub2, a - b)
SIMT_SMALL_BINARY(__hmul, __hmul2, a* b)
SIMT_SMALL_BINARY(__hdiv, __h2div, a / b)
SIMT_SMALL_BINARY(__hadd_rn, __hadd2_rn, a + b)
SIMT_SMALL_BINARY(__hsub_rn, __hsub2_rn, a - b)
SIMT_SMALL_BINARY(__hsub_sat, __hsub2_sat, F(__saturatef(float(a - b))))
SIMT_SMALL_BINARY(__hmul_rn, __hmul2_rn, a* b)
SIMT_SMALL_BINARY(__hadd_sat, __hadd2_sat, F(__saturatef(float(a + b))))
SIMT_SMALL_BINARY(__hmul_sat, __hmul2_sat, F(__saturatef(float(a* b))))
SIMT_SMALL_BINARY(__hmax, __hmax2, F(fmaxf(float(a), float(b))))
SIMT_SMALL_BINARY(__hmin, __hmin2, F(fminf(float(a), float(b))))
SIMT_SMALL_BINARY(__hmax_nan, __hmax2_nan,
                  isnan(float(a)) || isnan(float(b)) ? a + b : __hmax(a, b))
SIMT_SMALL_BINARY(__hmin_nan, __hmin2_nan,
                  isnan(float(a)) || isnan(float(b)) ? a + b : __hmin(a, b))
#undef SIMT_SMALL_BINARY

#define SIMT_SMALL_UNARY(name, name2, expression) \
  template <simt::Small F>                        \
  inline F name(F a) {                            \
    const float x = float(a);                     \
    return F(expression);                         \
  }                                               \
  template <simt::Small F>                        \
  inline simt::Pair<F> name2(simt::Pair<F> a) {   \
    return {name(a.x), name(a.y)};                \
  }
SIMT_SMALL_UNARY(__hneg, __hneg2, -x)
SIMT_SMALL_UNARY(__habs, __habs2, fabsf(x))
SIMT_SMALL_UNARY(hsqrt, h2sqrt, sqrtf(x))
SIMT_SMALL_UNARY(hrsqrt, h2rsqrt, 1 / sqrt(double(x)))
SIMT_SMALL_UNARY(hrcp, h2rcp, 1 / double(x))
SIMT_SMALL_UNARY(hexp, h2exp, exp(double(x)))
SIMT_SMALL_UNARY(hexp2, h2exp2, exp2(double(x)))
SIMT_SMALL_UNARY(hexp10, h2exp10, exp10(double(x)))
SIMT_SMALL_UNARY(hlog10, h2log10, log10(double(x)))
SIMT_SMALL_UNARY(hlog, h2log, log(double(x)))
SIMT_SMALL_UNARY(hlog2, h2log2, log2(double(x)))
SIMT_SMALL_UNARY(hsin, h2sin, sin(double(x)))
SIMT_SMALL_UNARY(hcos, h2cos, cos(double(x)))
SIMT_SMALL_UNARY(htanh, h2tanh, tanh(double(x)))
SIMT_SMALL_UNARY(hfloor, h2floor, floorf(x))
SIMT_SMALL_UNARY(hceil, h2ceil, ceilf(x))
SIMT_SMALL_UNARY(htrunc, h2trunc, truncf(x))
SIMT_SMALL_UNARY(hrint, h2rint, rintf(x))
#undef SIMT_SMALL_UNARY

template <simt::Small F>
inline F __hfma(F a, simt::Same<F> b, simt::Same<F> c) {
  return simt::fusedMultiplyAdd(a, b, c);
}
template <simt::Small F>
inline simt::Pair<F> __hfma2(simt::Pair<F> a, simt::Same<simt::Pair<F>> b,
                             simt::Same<simt::Pair<F>> c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#define SIMT_SMALL_FUSED(suffix, expression)                                          \
  template <simt::Small F>                                                            \
  inline F __hfma_##suffix(F a, simt::Same<F> b, simt::Same<F> c) {                   \
    const float x = float(__hfma(a, b, c));                                           \
    return F(expression);                                                             \
  }                                                                                   \
  template <simt::Small F>                                                            \
  inline simt::Pair<F> __hfma2_##suffix(simt::Pair<F> a, simt::Same<simt::Pair<F>> b, \
                                        simt::Same<simt::Pair<F>> c) {                \
    return {__hfma_##suffix(a.x, b.x, c.x), __hfma_##suffix(a.y, b.y, c.y)};          \
  }
SIMT_SMALL_FUSED(sat, __saturatef(x))
SIMT_SMALL_FUSED(relu, fmaxf(x, 0.0f))
#undef SIMT_SMALL_FUSED
template <simt::Small F>
inline bool __hisnan(F a) {
  return std::isnan(float(a));
}
template <simt::Small F>
inline int __hisinf(F a) {
  return std::isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0;
}
template <simt::Small F>
inline F __low2half(simt::Pair<F> a) {
  return a.x;
}
template <simt::Small F>
inline F __high2half(simt::Pair<F> a) {
  return a.y;
}
template <simt::Small F>
inline float __low2float(simt::Pair<F> a) {
  return a.x;
}
template <simt::Small F>
inline float __high2float(simt::Pair<F> a) {
  return a.y;
}
template <simt::Small F>
inline simt::Pair<F> __lowhigh2highlow(simt::Pair<F> a) {
  return {a.y, a.x};
}

#include "simt/device/small_comparisons.h"
