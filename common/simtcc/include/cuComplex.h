// Complex numbers, as CUDA has them for kernels and host.
#pragma once

#include "simt/device/names_begin.h"

#include <cmath>

#include "cuda_runtime.h"

#define SIMT_COMPLEX(Name, Vector, T, f)                                                  \
  using Name = Vector;                                                                    \
  inline T cuCreal##f(Name z) { return z.x; }                                             \
  inline T cuCimag##f(Name z) { return z.y; }                                             \
  inline Name make_##Name(T real, T imaginary) { return make_##Vector(real, imaginary); } \
  inline Name cuConj##f(Name z) { return make_##Vector(z.x, -z.y); }                      \
  inline Name cuCadd##f(Name a, Name b) { return make_##Vector(a.x + b.x, a.y + b.y); }   \
  inline Name cuCsub##f(Name a, Name b) { return make_##Vector(a.x - b.x, a.y - b.y); }   \
  inline Name cuCmul##f(Name a, Name b) {                                                 \
    return make_##Vector(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                   \
  }                                                                                       \
  inline Name cuCdiv##f(Name a, Name b) {                                                 \
    const T scale = std::abs(b.x) + std::abs(b.y), r = T(1) / scale;                      \
    const T ax = a.x * r, ay = a.y * r, bx = b.x * r, by = b.y * r;                       \
    const T q = T(1) / (bx * bx + by * by);                                               \
    return make_##Vector((ax * bx + ay * by) * q, (ay * bx - ax * by) * q);               \
  }                                                                                       \
  inline T cuCabs##f(Name z) { return std::hypot(z.x, z.y); }                             \
  inline Name cuCfma##f(Name a, Name b, Name c) {                                         \
    return make_##Vector(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);       \
  }
SIMT_COMPLEX(cuFloatComplex, float2, float, f)
SIMT_COMPLEX(cuDoubleComplex, double2, double, )
#undef SIMT_COMPLEX

using cuComplex = cuFloatComplex;
inline cuComplex make_cuComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_float2(float(z.x), float(z.y));
}

#include "simt/device/names_end.h"
