#include <cfloat>
#include <climits>
#include <cstdio>
#include <math_constants.h>

__global__ void floats(float *out, float x, double y) {
  int i = 0;
  out[i++] = __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f) + __cosf(0.0f) + __log2f(8.0f);
  out[i++] = rsqrtf(4.0f) + __frsqrt_rn(16.0f) + __fdividef(1.0f, 8.0f) + __saturatef(3.0f);
  out[i++] = __float2int_rn(2.5f) + 10 * __float2int_rz(-2.7f) + 100 * __float2int_ru(2.1f);
  out[i++] = __float2int_rd(-2.1f) + __float2uint_rn(3.5f);
  out[i++] = __int2float_rn(7) + __double2int_rn(y) + __ll2float_rn(1ll << 20);
  out[i++] = __fmaf_rn(2.0f, 3.0f, 4.0f) + __fadd_rn(1.0f, 2.0f) + __fmul_rz(2.0f, 2.0f) + __fsqrt_rn(9.0f);
  out[i++] = __int_as_float(__float_as_int(x) + 1) > x;
  out[i++] = __longlong_as_double(__double_as_longlong(y)) == y;
  out[i++] = __hiloint2double(__double2hiint(y), __double2loint(y)) == y;
  out[i++] = CUDART_INF_F > FLT_MAX;
  out[i++] = isnan(CUDART_NAN_F) + (INT_MAX == 2147483647) + isinf(-INFINITY);
  float s, c;
  sincosf(0.0f, &s, &c);
  out[i++] = s + c + sinpif(0.5f) + cospif(1.0f) + exp10f(2.0f) + cbrtf(27.0f) + hypotf(3.0f, 4.0f);
  __sincosf(0.0f, &s, &c);
  out[i++] = fmaxf(1.0f, 2.0f) + fminf(1, 2) + fabsf(-1.5f) + floorf(1.7f) + ceilf(1.2f) + rintf(2.5f) + truncf(1.9f) + max(1.0f, 3.0f) + s;
  out[i++] = __fadd_ru(1.0f, 1e-9f) > 1.0f;
  out[i++] = erff(0.0f) + tgammaf(4.0f) + fmodf(7.0f, 4.0f) + copysignf(2.0f, -1.0f) + c;
}

int main() {
  float *d, h[15];
  cudaMalloc(&d, sizeof h);
  floats<<<1, 1>>>(d, 1.0f, 2.5);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (float x : h) printf("%g ", x);
  printf("\n");
}
// prints: 13 1.875 282 1 1.04858e+06 20 1 1 1 1 3 109 13.5 1 8 
