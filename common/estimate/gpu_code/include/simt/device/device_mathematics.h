// The functions of mathematics, for the GPU compiler: what is an instruction, as that; the others
// as calls of NVIDIA's names, whose costs ../../costs.cpp knows.
#pragma once

#include <math.h>

#define SIMT_FUNCTION __attribute__((device, always_inline)) inline

// It would take the lists of calls without semicolons for one declaration:
// clang-format off
#define SIMT_CALLED1(name)                                           \
  extern "C" __attribute__((device)) float __nv_##name##f(float);    \
  extern "C" __attribute__((device)) double __nv_##name(double);     \
SIMT_FUNCTION float name##f(float x) { return __nv_##name##f(x); } \
SIMT_FUNCTION float name(float x) { return __nv_##name##f(x); }    \
SIMT_FUNCTION double name(double x) { return __nv_##name(x); }
SIMT_CALLED1(exp) SIMT_CALLED1(exp2) SIMT_CALLED1(exp10) SIMT_CALLED1(expm1) SIMT_CALLED1(log)
SIMT_CALLED1(log2) SIMT_CALLED1(log10) SIMT_CALLED1(log1p) SIMT_CALLED1(sin) SIMT_CALLED1(cos)
SIMT_CALLED1(tan) SIMT_CALLED1(asin) SIMT_CALLED1(acos) SIMT_CALLED1(atan) SIMT_CALLED1(sinh)
SIMT_CALLED1(cosh) SIMT_CALLED1(tanh) SIMT_CALLED1(asinh) SIMT_CALLED1(acosh) SIMT_CALLED1(atanh)
SIMT_CALLED1(cbrt) SIMT_CALLED1(erf) SIMT_CALLED1(erfc) SIMT_CALLED1(tgamma) SIMT_CALLED1(lgamma)
#undef SIMT_CALLED1

#define SIMT_CALLED2(name)                                                       \
  extern "C" __attribute__((device)) float __nv_##name##f(float, float);         \
  extern "C" __attribute__((device)) double __nv_##name(double, double);         \
SIMT_FUNCTION float name##f(float x, float y) { return __nv_##name##f(x, y); } \
SIMT_FUNCTION float name(float x, float y) { return __nv_##name##f(x, y); }    \
SIMT_FUNCTION double name(double x, double y) { return __nv_##name(x, y); }
SIMT_CALLED2(pow) SIMT_CALLED2(atan2) SIMT_CALLED2(fmod) SIMT_CALLED2(hypot) SIMT_CALLED2(remainder)
SIMT_CALLED2(fdim) SIMT_CALLED2(nextafter)
#undef SIMT_CALLED2
SIMT_FUNCTION double pow(double x, int y) {
  return __nv_pow(x, y);
}

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
SIMT_FUNCTION long lrint(double x) { return long(rint(x)); }
SIMT_FUNCTION long lroundf(float x) { return long(roundf(x)); }
SIMT_FUNCTION long lround(double x) { return long(round(x)); }
SIMT_FUNCTION float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
SIMT_FUNCTION float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }
SIMT_FUNCTION double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
SIMT_FUNCTION float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
SIMT_FUNCTION double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
SIMT_FUNCTION float abs(float x) { return __builtin_fabsf(x); }
SIMT_FUNCTION double abs(double x) { return __builtin_fabs(x); }
SIMT_FUNCTION int abs(int x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long long abs(long long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long abs(long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long labs(long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION long long llabs(long long x) { return x < 0 ? -x : x; }
SIMT_FUNCTION void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
SIMT_FUNCTION void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
SIMT_FUNCTION float scalbnf(float x, int n) { return x * __nv_exp2f(float(n)); }
SIMT_FUNCTION float ldexpf(float x, int n) { return x * __nv_exp2f(float(n)); }
SIMT_FUNCTION double ldexp(double x, int n) { return x * __nv_exp2(double(n)); }
SIMT_FUNCTION float modff(float x, float* whole) { return x - (*whole = truncf(x)); }
#undef SIMT_FUNCTION
