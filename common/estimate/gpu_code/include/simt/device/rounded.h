// What simt/device/intrinsics.h declares, for the GPU compiler: an instruction each, as far as it
// goes. What rounds otherwise costs as much as what rounds to the nearest, which stands for it.
#pragma once

namespace simt {

template <typename To, typename From>
SIMT_BOTH To toInteger(From value, Rounding rounding) {
  if (rounding == Rounding::rn) return To(__builtin_rint(value));
  if (rounding == Rounding::ru) return To(__builtin_ceil(value));
  return To(rounding == Rounding::rd ? __builtin_floor(value) : value);
}
template <typename To, typename From>
SIMT_BOTH To toFloating(From value, Rounding) {
  return To(value);
}
template <typename T>
SIMT_BOTH T addRounded(T a, T b, Rounding) {
  return a + b;
}
template <typename T>
SIMT_BOTH T multiplyRounded(T a, T b, Rounding) {
  return a * b;
}
template <typename T>
SIMT_BOTH T divideRounded(T a, T b, Rounding) {
  return a / b;
}
template <typename T>
SIMT_BOTH T squareRootRounded(T a, Rounding) {
  if constexpr (sizeof(T) == sizeof(float))
    return __builtin_sqrtf(a);
  else
    return __builtin_sqrt(a);
}
template <typename T>
SIMT_BOTH T fmaRounded(T a, T b, T c, Rounding) {
  if constexpr (sizeof(T) == sizeof(float))
    return __builtin_fmaf(a, b, c);
  else
    return __builtin_fma(a, b, c);
}

SIMT_BOTH uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  return __nvvm_prmt(a, b, selector);
}
SIMT_BOTH int32_t addProducts(int32_t a, int32_t b, int32_t c) {
  int32_t sum;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
SIMT_BOTH uint32_t addProducts(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t sum;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}
SIMT_BOTH long long clockTicks() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks));
  return ticks;
}

}  // namespace simt

// One instruction each, which clang++ does not always make of several.
SIMT_BOTH int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
SIMT_BOTH unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
#define SIMT_OF_THREE(name, type, instruction)                                   \
  SIMT_BOTH unsigned name(type a, type b, unsigned c) {                          \
    unsigned result;                                                             \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
    return result;                                                               \
  }
SIMT_OF_THREE(__funnelshift_l, unsigned, "shf.l.wrap.b32")
SIMT_OF_THREE(__funnelshift_r, unsigned, "shf.r.wrap.b32")
#undef SIMT_OF_THREE
SIMT_BOTH unsigned __sad(int a, int b, unsigned c) { return unsigned(__nvvm_sad_i(a, b, int(c))); }
SIMT_BOTH unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
SIMT_BOTH int __ffs(int x) {
  unsigned zeros;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(zeros) : "r"(__builtin_bitreverse32(unsigned(x))));
  return int(zeros) + 1;
}
