// Floating-point numbers of 16 bits, for the GPU compiler: the executor's, with conversions and the
// arithmetic of CUDA's functions as the instructions that a GPU has.
#pragma once

#include <cstdint>

#include "simt/device/cuda.h"

namespace simt {

SIMT_BOTH uint16_t smallFromFloat(float value, int exponentBits) {
  uint16_t bits;
  if (exponentBits == 5)
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  else
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
SIMT_BOTH uint16_t smallFromDouble(double value, int exponentBits) {
  return smallFromFloat(float(value), exponentBits);
}
SIMT_BOTH float floatFromSmall(uint16_t bits, int exponentBits) {
  if (exponentBits == 8) return __builtin_bit_cast(float, uint32_t(bits) << 16);
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

}  // namespace simt

#pragma clang force_cuda_host_device begin
#include_next <simt/device/small_floats.h>
#pragma clang force_cuda_host_device end

namespace simt {

SIMT_BOTH uint16_t smallFromDouble(double value, int exponentBits, Rounding) {
  return smallFromFloat(float(value), exponentBits);
}

template <typename To, typename From>
SIMT_BOTH To sameBits(const From& from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace simt

// Value: one or two of them, in a register of code's kind. Sums and products are fused, too, as a
// GPU makes them of bfloat16: x * 1 + y and x * y + -0, an instruction each.
#define SIMT_SMALL_ARITHMETIC(Value, suffix, type, Bits, code, one, zero)     \
  SIMT_BOTH Value __hfma##suffix(Value a, Value b, Value c) {                 \
    Bits bits;                                                                \
    asm("fma.rn." type " %0, %1, %2, %3;"                                     \
        : "=" code(bits)                                                      \
        : code(simt::sameBits<Bits>(a)), code(simt::sameBits<Bits>(b)),       \
          code(simt::sameBits<Bits>(c)));                                     \
    return simt::sameBits<Value>(bits);                                       \
  }                                                                           \
  SIMT_BOTH Value __hadd##suffix(Value a, Value b) {                          \
    return __hfma##suffix(a, simt::sameBits<Value>(Bits(one)), b);            \
  }                                                                           \
  SIMT_BOTH Value __hmul##suffix(Value a, Value b) {                          \
    return __hfma##suffix(a, b, simt::sameBits<Value>(Bits(zero)));           \
  }                                                                           \
  SIMT_BOTH Value __hsub##suffix(Value a, Value b) {                          \
    return __hfma##suffix(b, simt::sameBits<Value>(Bits((one) ^ (zero))), a); \
  }
SIMT_SMALL_ARITHMETIC(simt::Half, , "f16", uint16_t, "h", 0x3c00, 0x8000)
SIMT_SMALL_ARITHMETIC(simt::Pair<simt::Half>, 2, "f16x2", uint32_t, "r", 0x3c003c00, 0x80008000)
SIMT_SMALL_ARITHMETIC(simt::Brain, , "bf16", uint16_t, "h", 0x3f80, 0x8000)
SIMT_SMALL_ARITHMETIC(simt::Pair<simt::Brain>, 2, "bf16x2", uint32_t, "r", 0x3f803f80, 0x80008000)
#undef SIMT_SMALL_ARITHMETIC

// Functions, in float: an instruction of the unit for special functions, and a product before or
// behind it.
#define SIMT_SMALL_FUNCTION(name, name2, code, before, behind) \
  template <typename F>                                        \
  SIMT_BOTH F simt_##name(F a) {                               \
    float y;                                                   \
    asm(code " %0, %1;" : "=f"(y) : "f"(float(a) * (before))); \
    return F(y * (behind));                                    \
  }                                                            \
  SIMT_SMALL_FUNCTION_OF(simt::Half, name, name2)              \
  SIMT_SMALL_FUNCTION_OF(simt::Brain, name, name2)
#define SIMT_SMALL_FUNCTION_OF(F, name, name2)     \
  SIMT_BOTH F name(F a) { return simt_##name(a); } \
  SIMT_BOTH simt::Pair<F> name2(simt::Pair<F> a) { return {simt_##name(a.x), simt_##name(a.y)}; }
SIMT_SMALL_FUNCTION(hexp, h2exp, "ex2.approx.ftz.f32", 1.4426950408889634f, 1.0f)
SIMT_SMALL_FUNCTION(hexp2, h2exp2, "ex2.approx.ftz.f32", 1.0f, 1.0f)
SIMT_SMALL_FUNCTION(hexp10, h2exp10, "ex2.approx.ftz.f32", 3.3219280948873623f, 1.0f)
SIMT_SMALL_FUNCTION(hlog, h2log, "lg2.approx.ftz.f32", 1.0f, 0.6931471805599453f)
SIMT_SMALL_FUNCTION(hlog2, h2log2, "lg2.approx.ftz.f32", 1.0f, 1.0f)
SIMT_SMALL_FUNCTION(hlog10, h2log10, "lg2.approx.ftz.f32", 1.0f, 0.3010299956639812f)
SIMT_SMALL_FUNCTION(hsqrt, h2sqrt, "sqrt.approx.ftz.f32", 1.0f, 1.0f)
SIMT_SMALL_FUNCTION(hrsqrt, h2rsqrt, "rsqrt.approx.ftz.f32", 1.0f, 1.0f)
SIMT_SMALL_FUNCTION(hrcp, h2rcp, "rcp.approx.ftz.f32", 1.0f, 1.0f)
#undef SIMT_SMALL_FUNCTION_OF
#undef SIMT_SMALL_FUNCTION
