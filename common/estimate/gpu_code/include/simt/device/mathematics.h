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
