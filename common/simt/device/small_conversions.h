// Conversions between integers and floating-point numbers of 16 bits, all of which are rounded as
// their names end; SIMT_SMALL_CONVERSIONS(F, name) makes those of F: __int2<name>_rn,
// __<name>2int_rz.
#pragma once

#include <limits>

#include "simt/device/small_floats.h"

namespace simt {

template <typename F>
F smallRounded(double value, Rounding rounding) {
  F result;
  result.bits = smallFromDouble(value, std::is_same_v<F, Half> ? 5 : 8, rounding);
  return result;
}
template <typename F, typename T>
F smallFromInteger(T value, Rounding rounding) {
  // Of eight bytes, a double may lack the last: then it is rounded the same way twice.
  return smallRounded<F>(toFloating<double>(value, rounding), rounding);
}
// The nearest number of T where the value is outside, and 0 for NaN.
template <typename T, typename F>
T integerFromSmall(F value, Rounding rounding) {
  using Wide = std::conditional_t<sizeof(T) == 8, T, long long>;
  const Wide wide = toInteger<Wide>(float(value), rounding);
  if constexpr (sizeof(T) < 8) {
    if (wide > std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
    if (wide < std::numeric_limits<T>::min()) return std::numeric_limits<T>::min();
  }
  return T(wide);
}

}  // namespace simt

#define SIMT_INTEGER(F, name, T, integer, mode)                \
  inline F __##integer##2##name##_##mode(T x) {                \
    return simt::smallFromInteger<F>(x, simt::Rounding::mode); \
  }                                                            \
  inline T __##name##2##integer##_##mode(F x) {                \
    return simt::integerFromSmall<T>(x, simt::Rounding::mode); \
  }
#define SIMT_INTEGERS(F, name, mode)                       \
  SIMT_INTEGER(F, name, int, int, mode)                    \
  SIMT_INTEGER(F, name, unsigned, uint, mode)              \
  SIMT_INTEGER(F, name, short, short, mode)                \
  SIMT_INTEGER(F, name, unsigned short, ushort, mode)      \
  SIMT_INTEGER(F, name, long long, ll, mode)               \
  SIMT_INTEGER(F, name, unsigned long long, ull, mode)     \
  inline F __float2##name##_##mode(float x) {              \
    return simt::smallRounded<F>(x, simt::Rounding::mode); \
  }
#define SIMT_SMALL_CONVERSIONS(F, name)                                  \
  SIMT_INTEGERS(F, name, rn)                                             \
  SIMT_INTEGERS(F, name, rz)                                             \
  SIMT_INTEGERS(F, name, ru)                                             \
  SIMT_INTEGERS(F, name, rd)                                             \
  inline signed char __##name##2char_rz(F x) {                           \
    return simt::integerFromSmall<signed char>(x, simt::Rounding::rz);   \
  }                                                                      \
  inline unsigned char __##name##2uchar_rz(F x) {                        \
    return simt::integerFromSmall<unsigned char>(x, simt::Rounding::rz); \
  }
