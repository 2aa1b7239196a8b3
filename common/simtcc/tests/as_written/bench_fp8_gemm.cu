// says: ^e4m3 256 codes, 0 differ; e5m2 0 differ; products within [0-9.]+; dp4a 0 wrong; saturated 448 57344$
// Numbers of 8 bits: conversions of fp8 in both directions, a product of matrices in fp8 and bf16 that add up in float, and one of bytes by dp4a.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
template <typename To> __device__ __host__ inline float widen(To x) { return static_cast<float>(x); }
template <> __device__ __host__ inline float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename A, typename B, int TILE = 16>
__global__ void gemm(const A *__restrict__ a, const B *__restrict__ b, float *__restrict__ c, int m, int n, int k, float scale) {
  __shared__ A sa[TILE][TILE + 4];
  __shared__ B sb[TILE][TILE + 4];
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < k; t += TILE) {
    sa[threadIdx.y][threadIdx.x] = a[row * k + t + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum = fmaf(widen(sa[threadIdx.y][i]), widen(sb[i][threadIdx.x]), sum);
    __syncthreads();
  }
  c[row * n + col] = scale * sum;
}
__global__ void quantise(const float4 *x, __nv_fp8x4_e4m3 *q, __nv_fp8_e5m2 *q5, int n4) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  q[i] = __nv_fp8x4_e4m3(x[i]);
  const float *each = reinterpret_cast<const float *>(x + i);
  for (int j = 0; j < 4; ++j) q5[4 * i + j] = __nv_fp8_e5m2(each[j]);
}
__global__ void decode(float *e4, float *e5) {
  const __nv_fp8_storage_t bits = threadIdx.x;
  e4[threadIdx.x] = __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, __NV_E4M3)));
  e5[threadIdx.x] = __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, __NV_E5M2)));
}
__global__ void bytes(const char4 *a, const char4 *b, int *c, int k4) {
  int sum = 0;
  for (int i = 0; i < k4; ++i) sum = __dp4a(a[threadIdx.y * k4 + i], b[threadIdx.x * k4 + i], sum);
  c[threadIdx.y * blockDim.x + threadIdx.x] = sum;
}
static float reference(int bits, int mantissa, int bias, bool ieee) {
  const int exponent = (bits & 0x7f) >> mantissa, fraction = bits & ((1 << mantissa) - 1), top = (1 << (7 - mantissa)) - 1;
  const float sign = bits & 0x80 ? -1.f : 1.f;
  if (ieee && exponent == top) return fraction ? NAN : sign * INFINITY;
  if (!ieee && (bits & 0x7f) == 0x7f) return NAN;
  return exponent ? sign * ldexpf(1 + fraction / float(1 << mantissa), exponent - bias) : sign * ldexpf(fraction / float(1 << mantissa), 1 - bias);
}
int main() {
  const int m = 32, n = 48, k = 64;
  float *e4, *e5, *x, *c; __nv_fp8x4_e4m3 *q; __nv_fp8_e5m2 *q5; __nv_bfloat16 *b; signed char *ba; int *ci;
  cudaMallocManaged(&e4, 1024); cudaMallocManaged(&e5, 1024); cudaMallocManaged(&x, m * k * 4); cudaMallocManaged(&c, m * n * 4);
  cudaMallocManaged(&q, m * k); cudaMallocManaged(&q5, m * k); cudaMallocManaged(&b, k * n * 2); cudaMallocManaged(&ba, 2 * 8 * 64); cudaMallocManaged(&ci, 8 * 8 * 4);
  decode<<<1, 256>>>(e4, e5);
  for (int i = 0; i < m * k; ++i) x[i] = (i * 29 % 97 - 48) / 24.f;
  for (int i = 0; i < k * n; ++i) b[i] = __float2bfloat16((i * 31 % 89 - 44) / 32.f);
  for (int i = 0; i < 2 * 8 * 64; ++i) ba[i] = (signed char)(i * 37 % 251 - 125);
  quantise<<<(m * k / 4 + 127) / 128, 128>>>(reinterpret_cast<float4 *>(x), q, q5, m * k / 4);
  gemm<<<dim3(n / 16, m / 16), dim3(16, 16)>>>(reinterpret_cast<__nv_fp8_e4m3 *>(q), b, c, m, n, k, 1.f);
  bytes<<<1, dim3(8, 8)>>>(reinterpret_cast<char4 *>(ba), reinterpret_cast<char4 *>(ba + 512), ci, 16);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int differ4 = 0, differ5 = 0, wrong = 0; float worst = 0;
  for (int i = 0; i < 256; ++i) {
    const float r4 = reference(i, 3, 7, false), r5 = reference(i, 2, 15, true);
    differ4 += !(r4 == e4[i] || (std::isnan(r4) && std::isnan(e4[i])));
    differ5 += !(r5 == e5[i] || (std::isnan(r5) && std::isnan(e5[i])));
    if (!std::isnan(r4)) differ4 += float(__nv_fp8_e4m3(r4)) != r4;
  }
  for (int i = 0; i < m * k; ++i) differ5 += fabsf(float(q5[i]) - x[i]) > fabsf(x[i]) / 8 + 1e-5f;
  for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) { float want = 0; for (int l = 0; l < k; ++l) want += x[i * k + l] * float(b[l * n + j]); worst = fmaxf(worst, fabsf(want - c[i * n + j])); }
  for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) { int want = 0; for (int l = 0; l < 64; ++l) want += ba[i * 64 + l] * ba[512 + j * 64 + l]; wrong += want != ci[i * 8 + j]; }
  printf("e4m3 256 codes, %d differ; e5m2 %d differ; products within %.2f; dp4a %d wrong; saturated %g %g\n", differ4, differ5, worst, wrong, float(__nv_fp8_e4m3(1e6f)), float(__nv_fp8_e5m2(1e6f)));
  return differ4 || differ5 || worst > 2 || wrong;
}
