// The functions of mathematics, for the GPU compiler: what is an instruction, as that; the others
// as calls of NVIDIA's names, whose costs ../../../costs_of_calls.cpp knows. What stands in them is
// not executed: by it the compiler sees that they depend on nothing but their numbers.
#pragma once

#include <math.h>

#define SIMT_FUNCTION __attribute__((device, always_inline)) inline

// It would take the lists of calls without semicolons for one declaration:
// clang-format off
// The address keeps the compiler from taking a number away that is the same in all calls.
#define SIMT_CALLED(name, numbers, sum)                             \
  __attribute__((device)) static float name numbers __asm__(#name); \
  __attribute__((device, noinline)) static float name numbers {     \
    return __nvvm_ex2_approx_f(sum + float((long long)&name));      \
  }
// … of those with branches it is told so alone: they stay in a loop, and the loop as it is.
#define SIMT_BRANCHING(type, name, numbers) \
  extern "C" __attribute__((device, const)) type name numbers;
#define SIMT_NAMES1(name)                                            \
SIMT_FUNCTION float name##f(float x) { return __nv_##name##f(x); } \
SIMT_FUNCTION float name(float x) { return __nv_##name##f(x); }    \
SIMT_FUNCTION double name(double x) { return __nv_##name(x); }
#define SIMT_CALLED1(name)                                              \
SIMT_CALLED(__nv_##name##f, (float x), x)                             \
SIMT_BRANCHING(double, __nv_##name, (double x)) SIMT_NAMES1(name)
#define SIMT_BRANCHING1(name)                      \
SIMT_BRANCHING(float, __nv_##name##f, (float x)) \
SIMT_BRANCHING(double, __nv_##name, (double x)) SIMT_NAMES1(name)
SIMT_CALLED1(exp) SIMT_CALLED1(exp2) SIMT_CALLED1(exp10) SIMT_CALLED1(expm1) SIMT_CALLED1(log)
SIMT_CALLED1(log2) SIMT_CALLED1(log10) SIMT_CALLED1(log1p) SIMT_CALLED1(asin) SIMT_CALLED1(acos)
SIMT_CALLED1(atan) SIMT_CALLED1(sinh) SIMT_CALLED1(cosh) SIMT_CALLED1(tanh) SIMT_CALLED1(cbrt)
SIMT_CALLED1(erf) SIMT_CALLED1(erfc) SIMT_CALLED1(erfinv) SIMT_CALLED1(erfcinv) SIMT_CALLED1(erfcx)
SIMT_CALLED1(normcdf) SIMT_CALLED1(normcdfinv) SIMT_CALLED1(sinpi) SIMT_CALLED1(cospi)
SIMT_BRANCHING1(sin) SIMT_BRANCHING1(cos) SIMT_BRANCHING1(tan) SIMT_BRANCHING1(asinh)
SIMT_BRANCHING1(acosh) SIMT_BRANCHING1(atanh) SIMT_BRANCHING1(tgamma) SIMT_BRANCHING1(lgamma)
SIMT_BRANCHING1(j0) SIMT_BRANCHING1(j1) SIMT_BRANCHING1(y0) SIMT_BRANCHING1(y1)
SIMT_BRANCHING1(cyl_bessel_i0) SIMT_BRANCHING1(cyl_bessel_i1)
// … of a number whose sine is there
SIMT_CALLED1(cosBeside) SIMT_CALLED1(cospiBeside)
#undef SIMT_CALLED1
#undef SIMT_BRANCHING1
#undef SIMT_NAMES1

#define SIMT_BRANCHING2(name)                                                    \
SIMT_BRANCHING(float, __nv_##name##f, (float x, float y))                      \
SIMT_BRANCHING(double, __nv_##name, (double x, double y))                      \
SIMT_FUNCTION float name##f(float x, float y) { return __nv_##name##f(x, y); } \
SIMT_FUNCTION float name(float x, float y) { return __nv_##name##f(x, y); }    \
SIMT_FUNCTION double name(double x, double y) { return __nv_##name(x, y); }
SIMT_BRANCHING2(pow) SIMT_BRANCHING2(atan2) SIMT_BRANCHING2(fmod) SIMT_BRANCHING2(hypot)
SIMT_BRANCHING2(remainder) SIMT_BRANCHING2(fdim) SIMT_BRANCHING2(nextafter) SIMT_BRANCHING2(rhypot)
#undef SIMT_BRANCHING2
#undef SIMT_BRANCHING
SIMT_FUNCTION double pow(double x, int y) {
  return __nv_pow(x, y);
}
SIMT_FUNCTION float pow(float x, int y) { return __nv_powf(x, float(y)); }

#define SIMT_BUILT_IN1(name)                                              \
SIMT_FUNCTION float name##f(float x) { return __builtin_##name##f(x); } \
SIMT_FUNCTION float name(float x) { return __builtin_##name##f(x); }    \
SIMT_FUNCTION double name(double x) { return __builtin_##name(x); }
SIMT_BUILT_IN1(fabs)
SIMT_BUILT_IN1(floor)
SIMT_BUILT_IN1(ceil) SIMT_BUILT_IN1(trunc) SIMT_BUILT_IN1(rint) SIMT_BUILT_IN1(nearbyint)
#undef SIMT_BUILT_IN1
#define SIMT_BUILT_IN2(name)                                                          \
SIMT_FUNCTION float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
SIMT_FUNCTION float name(float x, float y) { return __builtin_##name##f(x, y); }    \
SIMT_FUNCTION double name(double x, double y) { return __builtin_##name(x, y); }
SIMT_BUILT_IN2(fmin) SIMT_BUILT_IN2(fmax) SIMT_BUILT_IN2(copysign)
#undef SIMT_BUILT_IN2
SIMT_FUNCTION float roundf(float x) {
  return truncf(x + copysignf(0.5f, x));
}
SIMT_FUNCTION float round(float x) { return roundf(x); }
SIMT_FUNCTION double round(double x) { return trunc(x + copysign(0.5, x)); }
SIMT_FUNCTION long lrintf(float x) { return long(rintf(x)); }
SIMT_FUNCTION long lrint(float x) { return long(rintf(x)); }
SIMT_FUNCTION long lrint(double x) { return long(rint(x)); }
SIMT_FUNCTION long lroundf(float x) { return long(roundf(x)); }
SIMT_FUNCTION long lround(float x) { return long(roundf(x)); }
SIMT_FUNCTION long lround(double x) { return long(round(x)); }
#define SIMT_LONG(name, rounded)                                          \
SIMT_FUNCTION long long name##f(float x) { return (long long)rounded##f(x); } \
SIMT_FUNCTION long long name(float x) { return (long long)rounded##f(x); }    \
SIMT_FUNCTION long long name(double x) { return (long long)rounded(x); }
SIMT_LONG(llrint, rint) SIMT_LONG(llround, round)
#undef SIMT_LONG
// In assembler, as clang++ otherwise has a root in front of the if that asks for it; nvcc does not.
SIMT_FUNCTION float sqrtf(float x) {
  float root;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
SIMT_FUNCTION float sqrt(float x) { return sqrtf(x); }
SIMT_FUNCTION double sqrt(double x) {
  double root;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(root) : "d"(x));
  return root;
}
SIMT_FUNCTION float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
SIMT_FUNCTION float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
SIMT_FUNCTION double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
SIMT_FUNCTION float abs(float x) { return __builtin_fabsf(x); }
SIMT_FUNCTION double abs(double x) { return __builtin_fabs(x); }
SIMT_FUNCTION int abs(int x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long long abs(long long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long abs(long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long labs(long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long long llabs(long long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosBesidef(x); }
SIMT_FUNCTION void sincos(double x, double* s, double* c) { *s = sin(x), *c = cosBeside(x); }
#define SIMT_SCALED(name, Times)                                                  \
SIMT_FUNCTION float name##f(float x, Times n) {                                    \
  return x * __builtin_bit_cast(float, unsigned(n + 127) << 23);                   \
}                                                                                  \
SIMT_FUNCTION float name(float x, Times n) { return name##f(x, n); }               \
SIMT_FUNCTION double name(double x, Times n) {                                     \
  return x * __builtin_bit_cast(double, (unsigned long long)(n + 1023) << 52);     \
}
SIMT_SCALED(ldexp, int) SIMT_SCALED(scalbn, int) SIMT_SCALED(scalbln, long)
#undef SIMT_SCALED
SIMT_FUNCTION float modff(float x, float* whole) { return x - (*whole = truncf(x)); }
SIMT_FUNCTION double modf(double x, double* whole) { return x - (*whole = trunc(x)); }
SIMT_FUNCTION float nanf(const char*) { return __builtin_nanf(""); }
SIMT_FUNCTION double nan(const char*) { return __builtin_nan(""); }

// By the bits of the exponent; 0 has none.
SIMT_FUNCTION int ilogbf(float x) {
  return int(__builtin_bit_cast(unsigned, x) >> 23 & 0xff) - 127;
}
SIMT_FUNCTION int ilogb(float x) { return ilogbf(x); }
SIMT_FUNCTION int ilogb(double x) {
  return int(__builtin_bit_cast(unsigned long long, x) >> 52 & 0x7ff) - 1023;
}
SIMT_FUNCTION float logbf(float x) { return float(ilogbf(x)); }
SIMT_FUNCTION float logb(float x) { return float(ilogbf(x)); }
SIMT_FUNCTION double logb(double x) { return double(ilogb(x)); }
SIMT_FUNCTION float frexpf(float x, int* exponent) {
  *exponent = x == 0 ? 0 : ilogbf(x) + 1;
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  return x == 0 ? x : __builtin_bit_cast(float, (bits & 0x807fffffu) | 0x3f000000u);
}
SIMT_FUNCTION float frexp(float x, int* exponent) { return frexpf(x, exponent); }
SIMT_FUNCTION double frexp(double x, int* exponent) {
  *exponent = x == 0 ? 0 : ilogb(x) + 1;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  return x == 0 ? x
                : __builtin_bit_cast(double, (bits & 0x800fffffffffffffu) | 0x3fe0000000000000u);
}
SIMT_FUNCTION float remquof(float x, float y, int* times) {
  *times = int(rintf(x / y));
  return remainderf(x, y);
}
SIMT_FUNCTION double remquo(double x, double y, int* times) {
  *times = int(rint(x / y));
  return remainder(x, y);
}
// Orders from 2 on, from the two before.
#define SIMT_BESSEL(name, first, second)                            \
SIMT_FUNCTION double name(int n, double x) {                      \
  double before = first(x), now = n == 0 ? before : second(x);    \
  for (int k = 1; k < n; ++k) {                                   \
    const double next = 2 * k / x * now - before;                 \
    before = now, now = next;                                     \
  }                                                               \
  return now;                                                     \
}                                                                 \
SIMT_FUNCTION float name##f(int n, float x) { return float(name(n, double(x))); }
SIMT_BESSEL(jn, j0, j1) SIMT_BESSEL(yn, y0, y1)
#undef SIMT_BESSEL
#undef SIMT_FUNCTION

// std:: has C's functions from before these were declared.
namespace std {
using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2;
using ::atanh; using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh;
using ::erf; using ::erfc; using ::exp; using ::exp2; using ::expm1; using ::fabs; using ::fdim;
using ::floor; using ::fma; using ::fmax; using ::fmin; using ::fmod; using ::frexp;
using ::hypot; using ::ilogb; using ::ldexp; using ::lgamma; using ::llrint; using ::llround;
using ::log; using ::log10; using ::log1p; using ::log2; using ::logb; using ::lrint;
using ::lround; using ::modf; using ::nearbyint; using ::nextafter; using ::pow;
using ::remainder; using ::remquo; using ::rint; using ::round; using ::scalbln; using ::scalbn;
using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc;
using ::abs;
}  // namespace std
