// CUDA's mathematical functions beside those of C: part of intrinsics.h.
#pragma once

#include <math.h>

namespace simt {

// Inverses of erf() and erfc(), and exp(x * x) * erfc(x).
double inverseErf(double x);
double inverseErfc(double x);
double scaledErfc(double x);
double besselI(int order, double x);  // the modified one of the first kind

}  // namespace simt

// What a GPU does in a few instructions, and a CPU in many: not inlined, so that common/estimate
// knows them by their names. As exact as the slow ones.
extern "C" {
[[gnu::const]] float simtFastExp(float x);
[[gnu::const]] float simtFastExp10(float x);
[[gnu::const]] float simtFastLog(float x);
[[gnu::const]] float simtFastLog2(float x);
[[gnu::const]] float simtFastLog10(float x);
[[gnu::const]] float simtFastPow(float x, float y);
[[gnu::const]] float simtFastSin(float x);
[[gnu::const]] float simtFastCos(float x);
[[gnu::const]] float simtFastTan(float x);
[[gnu::const]] float simtFastDivide(float a, float b);
[[gnu::const]] float simtRsqrt(float x);
[[gnu::const]] float simtRcbrt(float x);
}

// The C library declares functions of its own under these names, which it does not have.
#define __expf(...) simtFastExp(__VA_ARGS__)
#define __exp10f(...) simtFastExp10(__VA_ARGS__)
#define __logf(...) simtFastLog(__VA_ARGS__)
#define __log2f(...) simtFastLog2(__VA_ARGS__)
#define __log10f(...) simtFastLog10(__VA_ARGS__)
#define __powf(...) simtFastPow(__VA_ARGS__)
#define __sinf(...) simtFastSin(__VA_ARGS__)
#define __cosf(...) simtFastCos(__VA_ARGS__)
#define __tanf(...) simtFastTan(__VA_ARGS__)
#define __tanhf(...) tanhf(__VA_ARGS__)
#define __sincosf(...) simt::fastSinCos(__VA_ARGS__)

namespace simt {
inline void fastSinCos(float x, float* sine, float* cosine) {
  *sine = simtFastSin(x);
  *cosine = simtFastCos(x);
}
}  // namespace simt

inline float __fdividef(float a, float b) { return simtFastDivide(a, b); }
inline float fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
inline float __frsqrt_rn(float x) { return float(1 / sqrt(double(x))); }
inline float rsqrtf(float x) { return simtRsqrt(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return simtRcbrt(x); }
inline double rcbrt(double x) { return 1 / cbrt(x); }
inline float sinpif(float x) { return float(sin(M_PI * remainder(double(x), 2.0))); }
inline float cospif(float x) { return float(cos(M_PI * remainder(double(x), 2.0))); }
inline double sinpi(double x) { return sin(M_PI * remainder(x, 2.0)); }
inline double cospi(double x) { return cos(M_PI * remainder(x, 2.0)); }
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline double cyl_bessel_i0(double x) { return simt::besselI(0, x); }
inline double cyl_bessel_i1(double x) { return simt::besselI(1, x); }
inline float cyl_bessel_i0f(float x) { return float(simt::besselI(0, x)); }
inline float cyl_bessel_i1f(float x) { return float(simt::besselI(1, x)); }
inline float normcdff(float x) { return float(0.5 * erfc(-double(x) * M_SQRT1_2)); }
inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
inline float norm3df(float a, float b, float c) {
  return float(sqrt(double(a) * a + double(b) * b + double(c) * c));
}
inline double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
inline float norm4df(float a, float b, float c, float d) {
  return float(sqrt(double(a) * a + double(b) * b + double(c) * c + double(d) * d));
}
inline double norm4d(double a, double b, double c, double d) {
  return hypot(hypot(a, b), hypot(c, d));
}
inline double norm(int dimension, const double* x) {
  double length = 0;
  for (int i = 0; i < dimension; ++i) length = hypot(length, x[i]);
  return length;
}
inline float normf(int dimension, const float* x) {
  double sum = 0;
  for (int i = 0; i < dimension; ++i) sum += double(x[i]) * x[i];
  return float(sqrt(sum));
}
inline double rnorm(int dimension, const double* x) { return 1 / norm(dimension, x); }
inline float rnormf(int dimension, const float* x) { return 1 / normf(dimension, x); }
inline double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
inline double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
inline float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }
inline double erfinv(double x) { return simt::inverseErf(x); }
inline float erfinvf(float x) { return float(simt::inverseErf(x)); }
inline double erfcinv(double x) { return simt::inverseErfc(x); }
inline float erfcinvf(float x) { return float(simt::inverseErfc(x)); }
inline double erfcx(double x) { return simt::scaledErfc(x); }
inline float erfcxf(float x) { return float(simt::scaledErfc(x)); }
inline double normcdfinv(double p) { return -M_SQRT2 * simt::inverseErfc(2 * p); }
inline float normcdfinvf(float p) { return float(normcdfinv(p)); }
inline float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
inline float rhypotf(float a, float b) { return float(1 / hypot(double(a), double(b))); }
inline double rhypot(double a, double b) { return 1 / hypot(a, b); }
