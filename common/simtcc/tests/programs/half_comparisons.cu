// Comparisons and conversions of half and bfloat16, with NaN and with each rounding.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>

__global__ void compare(unsigned *out) {
  const half2 a = __floats2half2_rn(1.0f, NAN), b = __floats2half2_rn(2.0f, 1.0f), c = __floats2half2_rn(1.0f, 3.0f);
  int i = 0;
  out[i++] = __heq2_mask(a, c);
  out[i++] = __hneu2_mask(a, b);
  out[i++] = __hne2_mask(a, b);
  out[i++] = __hltu2_mask(a, b);
  out[i++] = __hbgt2(b, c) + 2 * __hbge2(c, c) + 4 * __hblt2(a, b) + 8 * __hbltu2(a, b) + 16 * (b == b) + 32 * (a != a);
  out[i++] = __half_as_ushort(__low2half(__hgt2(b, c)));
  out[i++] = __hisnan(__hmax_nan(a.y, b.y)) + 2 * __hisnan(__hmax(a.y, b.y)) + 4 * __hne(a.y, a.y) + 8 * __hneu(a.y, a.y);
  out[i++] = __half_as_ushort(__float2half_ru(1.0001f));
  out[i++] = __half_as_ushort(__float2half_rd(1.0001f));
  out[i++] = __half_as_ushort(__float2half_rz(-1.0001f));
  out[i++] = __half_as_ushort(__float2half_rz(1e6f));
  out[i++] = __half_as_ushort(__int2half_rd(4097));
  out[i++] = __half_as_ushort(__ull2half_ru(4097ull));
  out[i++] = (unsigned)__half2int_ru(__float2half(-2.5f));
  out[i++] = __half2ushort_rz(__float2half(-7.0f)) + 10 * __half2uint_rn(__float2half(2.5f));
  out[i++] = (unsigned)__half2short_rn(__float2half(60000.0f));
  out[i++] = __bfloat16_as_ushort(__float2bfloat16_ru(1.001f));
  out[i++] = (unsigned)__bfloat162int_rz(__float2bfloat16(-3.9f));
  half x = __float2half(3.0f);
  x += __float2half(1.0f);
  ++x;
  half2 y = __half2half2(x);
  y -= __float2half2_rn(1.0f);
  y /= __float2half2_rn(2.0f);
  out[i++] = (unsigned)__half2float(__hfma_sat(x, x, x)) + 10 * (unsigned)__low2float(y) + 100 * (unsigned)__half2float(__hfma_relu(x, __hneg(x), x));
}

int main() {
  unsigned *out, h[19];
  cudaMalloc(&out, sizeof h);
  compare<<<1, 1>>>(out);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (unsigned x : h) printf("%x ", x);
  printf("\n");
}
// prints: ffff ffffffff ffff ffffffff 1a 3c00 9 3c01 3c00 bc00 7bff 6c00 6c01 fffffffe 14 7fff 3f81 fffffffd 15 
