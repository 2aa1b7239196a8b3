// Floating-point numbers of 8 bits for the executor: E4M3 and E5M2, alone, in pairs and in fours.
#pragma once

#include "simt/device/names_begin.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace simt {

// E4M3 has no infinity, and one NaN of each sign.
struct Fp8Kind {
  int mantissaBits, leastExponent;  // of the subnormal numbers: 2^leastExponent is their last place
  unsigned largest, infinity, nan;  // as bits without the sign
};
constexpr Fp8Kind fp8Kind(__nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? Fp8Kind{3, -9, 0x7e, 0x7f, 0x7f} : Fp8Kind{2, -16, 0x7b, 0x7c, 0x7f};
}
inline double fp8Value(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t of) {
  const Fp8Kind kind = fp8Kind(of);
  const unsigned size = bits & 0x7f;
  const double sign = bits & 0x80 ? -1 : 1;
  if (size > kind.largest)
    return of == __NV_E5M2 && size == kind.infinity ? sign * HUGE_VAL : __builtin_nan("");
  const int exponent = int(size >> kind.mantissaBits);
  const int mantissa = int(size & ((1u << kind.mantissaBits) - 1));
  const int whole = exponent == 0 ? mantissa : mantissa | 1 << kind.mantissaBits;
  return sign * __builtin_ldexp(whole, kind.leastExponent + (exponent == 0 ? 0 : exponent - 1));
}
// Rounds to nearest, ties to even.
inline __nv_fp8_storage_t fp8Of(double value, __nv_saturation_t saturation,
                                __nv_fp8_interpretation_t of) {
  const Fp8Kind kind = fp8Kind(of);
  const unsigned sign = __builtin_signbit(value) ? 0x80 : 0;
  if (value != value) return __nv_fp8_storage_t(kind.nan);
  const double size = __builtin_fabs(value);
  if (size == 0) return __nv_fp8_storage_t(sign);
  unsigned result = kind.largest + 1;
  if (size < 1e9) {
    int exponent = 0;
    __builtin_frexp(size, &exponent);  // size is in [2^(exponent - 1), 2^exponent)
    int last = exponent - 1 - kind.mantissaBits;
    if (last < kind.leastExponent) last = kind.leastExponent;
    const auto whole = unsigned(__builtin_nearbyint(__builtin_ldexp(size, -last)));
    result = (unsigned(last - kind.leastExponent) << kind.mantissaBits) + whole;
  }
  if (result > kind.largest) result = saturation == __NV_SATFINITE ? kind.largest : kind.infinity;
  return __nv_fp8_storage_t(sign | result);
}

template <__nv_fp8_interpretation_t kind>
struct Fp8 {
  __nv_fp8_storage_t __x;
  Fp8() = default;
  template <typename T>
  requires(std::is_arithmetic_v<T>) explicit Fp8(T value)
      : __x(fp8Of(double(value), __NV_SATFINITE, kind)) {}
  explicit Fp8(__half value) : Fp8(float(value)) {}
  explicit Fp8(__nv_bfloat16 value) : Fp8(float(value)) {}
  explicit operator float() const { return float(fp8Value(__x, kind)); }
  explicit operator double() const { return fp8Value(__x, kind); }
  explicit operator __half() const { return __half(float(*this)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }
  explicit operator bool() const { return (__x & 0x7f) != 0; }
  explicit operator int() const { return int(float(*this)); }
};
// So many of them in one word, whose lowest byte is the first.
template <__nv_fp8_interpretation_t kind, typename Word, typename Floats>
struct Fp8s {
  Word __x;
  static constexpr int count = sizeof(Word);
  Fp8s() = default;
  explicit Fp8s(const Floats& values) : __x(0) {
    const float* const each = reinterpret_cast<const float*>(&values);
    for (int i = 0; i < count; ++i)
      __x = Word(__x | unsigned(fp8Of(each[i], __NV_SATFINITE, kind)) << 8 * i);
  }
  explicit operator Floats() const {
    Floats values{};
    float* const each = reinterpret_cast<float*>(&values);
    for (int i = 0; i < count; ++i)
      each[i] = float(fp8Value(__nv_fp8_storage_t(__x >> 8 * i), kind));
    return values;
  }
};

}  // namespace simt

typedef simt::Fp8<__NV_E4M3> __nv_fp8_e4m3;
typedef simt::Fp8<__NV_E5M2> __nv_fp8_e5m2;
typedef simt::Fp8s<__NV_E4M3, __nv_fp8x2_storage_t, float2> __nv_fp8x2_e4m3;
typedef simt::Fp8s<__NV_E5M2, __nv_fp8x2_storage_t, float2> __nv_fp8x2_e5m2;
typedef simt::Fp8s<__NV_E4M3, __nv_fp8x4_storage_t, float4> __nv_fp8x4_e4m3;
typedef simt::Fp8s<__NV_E5M2, __nv_fp8x4_storage_t, float4> __nv_fp8x4_e5m2;

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t kind) {
  return simt::fp8Of(x, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t kind) {
  return simt::fp8Of(x, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                  __nv_fp8_interpretation_t kind) {
  return simt::fp8Of(__half2float(__half(x)), saturation, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  return __nv_fp8x2_storage_t(simt::fp8Of(x.x, saturation, kind) |
                              simt::fp8Of(x.y, saturation, kind) << 8);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half_raw{__half_as_ushort(__float2half(float(simt::fp8Value(x, kind))))};
}

#include "simt/device/names_end.h"
