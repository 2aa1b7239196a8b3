#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void axpy(int n, __half a, const __half2 *x, __half2 *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}
__global__ void dot(const half *a, const half *b, float *out, half *sum, __nv_bfloat16 *brain) {
  float product = __half2float(a[threadIdx.x]) * __half2float(b[threadIdx.x]);
  for (int i = 16; i > 0; i >>= 1) product += __shfl_xor_sync(0xffffffff, product, i);
  half h = __shfl_down_sync(0xffffffff, a[threadIdx.x], 1);
  atomicAdd(sum, __float2half(0.5f));
  if (threadIdx.x == 0) {
    *out = product;
    *brain = __float2bfloat16(3.14159f) + __float2bfloat16(1.0f);
    if (__hgt(h, __float2half(100.f))) *out = -1;
  }
}

int main() {
  const int n = 32;
  half h[2 * n], r[2 * n];
  for (int i = 0; i < 2 * n; ++i) h[i] = __float2half(i * 0.25f), r[i] = __float2half(1.0f);
  half *x, *y, *sum;
  float *out, ho;
  __nv_bfloat16 *brain, hb;
  cudaMalloc(&x, sizeof h), cudaMalloc(&y, sizeof h), cudaMalloc(&out, 4), cudaMalloc(&sum, 2), cudaMalloc(&brain, 2);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice), cudaMemcpy(y, r, sizeof r, cudaMemcpyHostToDevice), cudaMemset(sum, 0, 2);
  axpy<<<1, n>>>(n, __float2half(2.0f), (const __half2 *)x, (__half2 *)y);
  dot<<<1, 32>>>(x, y, out, sum, brain);
  cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost), cudaMemcpy(&ho, out, 4, cudaMemcpyDeviceToHost);
  half hs;
  cudaMemcpy(&hs, sum, 2, cudaMemcpyDeviceToHost), cudaMemcpy(&hb, brain, 2, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g %g\n", __half2float(r[3]), __half2float(r[63]), ho, __half2float(hs), __bfloat162float(hb));
  printf("%g %g %g\n", __half2float(__float2half(65519.f)), __half2float(__float2half(1e-7f)), __half2float(__float2half(0.1f)));
}
// prints: 2.5 32.5 1426 16 4.125
// prints: 65504 1.19209e-07 0.0999756
