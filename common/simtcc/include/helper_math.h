// The names of the header of vector arithmetic that many of NVIDIA's samples include, for programs
// that came without it: one of that name beside the program, or in a folder given by -I, goes
// first.
#pragma once

#include <cmath>

#include <cuda_runtime.h>

#ifdef __CUDA__  // a GPU's code
#define SIMT_HD static inline __host__ __device__
#else
#define SIMT_HD static inline
#endif

SIMT_HD float lerp(float a, float b, float t) { return a + t * (b - a); }
SIMT_HD float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
SIMT_HD int clamp(int f, int a, int b) { return f < a ? a : f > b ? b : f; }
SIMT_HD unsigned clamp(unsigned f, unsigned a, unsigned b) { return f < a ? a : f > b ? b : f; }
SIMT_HD float fracf(float v) { return v - floorf(v); }
SIMT_HD float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

// f of each element, by names of elements, of two vectors, of a vector and a number.
#define SIMT_2(f) f(x), f(y)
#define SIMT_3(f) f(x), f(y), f(z)
#define SIMT_4(f) f(x), f(y), f(z), f(w)
#define SIMT_OPERATOR(V, T, EACH, op, both, left, right)            \
  SIMT_HD V operator op(V a, V b) { return make_##V(EACH(both)); }  \
  SIMT_HD V operator op(V a, T b) { return make_##V(EACH(left)); }  \
  SIMT_HD V operator op(T a, V b) { return make_##V(EACH(right)); } \
  SIMT_HD void operator op##=(V& a, V b) { a = a op b; }            \
  SIMT_HD void operator op##=(V& a, T b) { a = a op b; }
#define SIMT_ADD_V(e) a.e + b.e
#define SIMT_ADD_L(e) a.e + b
#define SIMT_ADD_R(e) a + b.e
#define SIMT_SUB_V(e) a.e - b.e
#define SIMT_SUB_L(e) a.e - b
#define SIMT_SUB_R(e) a - b.e
#define SIMT_MUL_V(e) a.e* b.e
#define SIMT_MUL_L(e) a.e* b
#define SIMT_MUL_R(e) a* b.e
#define SIMT_DIV_V(e) a.e / b.e
#define SIMT_DIV_L(e) a.e / b
#define SIMT_DIV_R(e) a / b.e
#define SIMT_NEGATIVE(e) -a.e
#define SIMT_CLAMP_S(e) clamp(v.e, a, b)
#define SIMT_CLAMP_V(e) clamp(v.e, a.e, b.e)
#define SIMT_SAME(e) s
#define SIMT_VECTOR(V, T, EACH)                                           \
  SIMT_HD V make_##V(T s) { return make_##V(EACH(SIMT_SAME)); }           \
  SIMT_OPERATOR(V, T, EACH, +, SIMT_ADD_V, SIMT_ADD_L, SIMT_ADD_R)        \
  SIMT_OPERATOR(V, T, EACH, -, SIMT_SUB_V, SIMT_SUB_L, SIMT_SUB_R)        \
  SIMT_OPERATOR(V, T, EACH, *, SIMT_MUL_V, SIMT_MUL_L, SIMT_MUL_R)        \
  SIMT_HD V clamp(V v, T a, T b) { return make_##V(EACH(SIMT_CLAMP_S)); } \
  SIMT_HD V clamp(V v, V a, V b) { return make_##V(EACH(SIMT_CLAMP_V)); }
#define SIMT_SIGNED(V, EACH) \
  SIMT_HD V operator-(V a) { return make_##V(EACH(SIMT_NEGATIVE)); }
SIMT_VECTOR(float2, float, SIMT_2)
SIMT_VECTOR(float3, float, SIMT_3)
SIMT_VECTOR(float4, float, SIMT_4)
SIMT_VECTOR(int2, int, SIMT_2)
SIMT_VECTOR(int3, int, SIMT_3)
SIMT_VECTOR(int4, int, SIMT_4)
SIMT_VECTOR(uint2, unsigned, SIMT_2)
SIMT_VECTOR(uint3, unsigned, SIMT_3)
SIMT_VECTOR(uint4, unsigned, SIMT_4)
SIMT_SIGNED(int2, SIMT_2)
SIMT_SIGNED(int3, SIMT_3)
SIMT_SIGNED(int4, SIMT_4)

SIMT_HD float2 make_float2(float3 v) { return make_float2(v.x, v.y); }
SIMT_HD float2 make_float2(float4 v) { return make_float2(v.x, v.y); }
SIMT_HD float2 make_float2(int2 v) { return make_float2(float(v.x), float(v.y)); }
SIMT_HD float2 make_float2(uint2 v) { return make_float2(float(v.x), float(v.y)); }
SIMT_HD float3 make_float3(float2 v, float s = 0) { return make_float3(v.x, v.y, s); }
SIMT_HD float3 make_float3(float4 v) { return make_float3(v.x, v.y, v.z); }
SIMT_HD float3 make_float3(int3 v) { return make_float3(float(v.x), float(v.y), float(v.z)); }
SIMT_HD float3 make_float3(uint3 v) { return make_float3(float(v.x), float(v.y), float(v.z)); }
SIMT_HD float4 make_float4(float3 v, float s = 0) { return make_float4(v.x, v.y, v.z, s); }
SIMT_HD float4 make_float4(int4 v) {
  return make_float4(float(v.x), float(v.y), float(v.z), float(v.w));
}
SIMT_HD int2 make_int2(float2 v) { return make_int2(int(v.x), int(v.y)); }
SIMT_HD int3 make_int3(float3 v) { return make_int3(int(v.x), int(v.y), int(v.z)); }
SIMT_HD int4 make_int4(float4 v) { return make_int4(int(v.x), int(v.y), int(v.z), int(v.w)); }

#define SIMT_PRODUCT(e) sum += a.e * b.e
#define SIMT_LERP(e) a.e + t*(b.e - a.e)
#define SIMT_FLOOR(e) floorf(v.e)
#define SIMT_FRACTION(e) fracf(v.e)
#define SIMT_ABS(e) fabsf(v.e)
#define SIMT_MIN(e) fminf(a.e, b.e)
#define SIMT_MAX(e) fmaxf(a.e, b.e)
#define SIMT_MOD(e) fmodf(a.e, b.e)
#define SIMT_STEP(e) smoothstep(a.e, b.e, x.e)
#define SIMT_FLOATS(V, EACH)                                              \
  SIMT_OPERATOR(V, float, EACH, /, SIMT_DIV_V, SIMT_DIV_L, SIMT_DIV_R)    \
  SIMT_SIGNED(V, EACH)                                                    \
  SIMT_HD float dot(V a, V b) {                                           \
    float sum = 0;                                                        \
    EACH(SIMT_PRODUCT);                                                   \
    return sum;                                                           \
  }                                                                       \
  SIMT_HD float length(V v) { return sqrtf(dot(v, v)); }                  \
  SIMT_HD V normalize(V v) { return v * rsqrtf(dot(v, v)); }              \
  SIMT_HD V lerp(V a, V b, float t) { return make_##V(EACH(SIMT_LERP)); } \
  SIMT_HD V floorf(V v) { return make_##V(EACH(SIMT_FLOOR)); }            \
  SIMT_HD V fracf(V v) { return make_##V(EACH(SIMT_FRACTION)); }          \
  SIMT_HD V fabs(V v) { return make_##V(EACH(SIMT_ABS)); }                \
  SIMT_HD V fminf(V a, V b) { return make_##V(EACH(SIMT_MIN)); }          \
  SIMT_HD V fmaxf(V a, V b) { return make_##V(EACH(SIMT_MAX)); }          \
  SIMT_HD V fmodf(V a, V b) { return make_##V(EACH(SIMT_MOD)); }          \
  SIMT_HD V smoothstep(V a, V b, V x) { return make_##V(EACH(SIMT_STEP)); }
SIMT_FLOATS(float2, SIMT_2)
SIMT_FLOATS(float3, SIMT_3)
SIMT_FLOATS(float4, SIMT_4)
SIMT_HD float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
SIMT_HD float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
