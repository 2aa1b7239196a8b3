// CUDA's functions of mathematics beside those of C, for the GPU compiler: the executor's, but for
// those that it makes of slower ones: here they are calls of NVIDIA's names.
#pragma once

#define cospi executors_cospi
#define cospif executors_cospif
#define cyl_bessel_i0 executors_cyl_bessel_i0
#define cyl_bessel_i0f executors_cyl_bessel_i0f
#define cyl_bessel_i1 executors_cyl_bessel_i1
#define cyl_bessel_i1f executors_cyl_bessel_i1f
#define erfcinv executors_erfcinv
#define erfcinvf executors_erfcinvf
#define erfcx executors_erfcx
#define erfcxf executors_erfcxf
#define erfinv executors_erfinv
#define erfinvf executors_erfinvf
#define norm3df executors_norm3df
#define norm4df executors_norm4df
#define normcdf executors_normcdf
#define normcdff executors_normcdff
#define normcdfinv executors_normcdfinv
#define normcdfinvf executors_normcdfinvf
#define rhypot executors_rhypot
#define rhypotf executors_rhypotf
#define rsqrt executors_rsqrt
#define sincospi executors_sincospi
#define sincospif executors_sincospif
#define sinpi executors_sinpi
#define sinpif executors_sinpif
extern "C" {
#define SIMT_FAST1(name) SIMT_CALLED(name, (float x), x)
#define SIMT_FAST2(name) SIMT_CALLED(name, (float x, float y), x + y)
SIMT_FAST1(simtFastExp)
SIMT_FAST1(simtFastExp10)
SIMT_FAST1(simtFastLog)
SIMT_FAST1(simtFastLog2)
SIMT_FAST1(simtFastLog10)
SIMT_FAST2(simtFastPow)
SIMT_FAST1(simtFastSin)
SIMT_FAST1(simtFastCos)
SIMT_FAST1(simtFastTan)
SIMT_FAST2(simtFastDivide)
SIMT_FAST1(simtRsqrt)
SIMT_FAST1(simtRcbrt)
#undef SIMT_FAST1
#undef SIMT_FAST2
}
#include_next "simt/device/mathematics.h"
#undef cospi
#undef cospif
#undef cyl_bessel_i0
#undef cyl_bessel_i0f
#undef cyl_bessel_i1
#undef cyl_bessel_i1f
#undef erfcinv
#undef erfcinvf
#undef erfcx
#undef erfcxf
#undef erfinv
#undef erfinvf
#undef norm3df
#undef norm4df
#undef normcdf
#undef normcdff
#undef normcdfinv
#undef normcdfinvf
#undef rhypot
#undef rhypotf
#undef rsqrt
#undef sincospi
#undef sincospif
#undef sinpi
#undef sinpif

inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x), *cosine = cospiBesidef(x);
}
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x), *cosine = cospiBeside(x);
}
inline double rsqrt(double x) {
  double root;
  asm("rsqrt.approx.f64 %0, %1;" : "=d"(root) : "d"(x));
  return root;
}
inline float rsqrt(float x) { return rsqrtf(x); }
inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
inline float norm4df(float a, float b, float c, float d) {
  return sqrtf(a * a + b * b + c * c + d * d);
}
