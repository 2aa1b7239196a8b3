// says: ^black-scholes L1 [0-9.e-]+, binomial L1 [0-9.e-]+, walsh 0 differ, sobol ok, bisection [0-9.e-]+$
// Finance and transforms: Black and Scholes by float2, binomial trees by warps in shared memory, the fast Walsh transform, a quasirandom generator with direction numbers in constant memory, eigenvalues by bisection.
#include <algorithm>
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#define DIV_UP(a, b) (((a) + (b)-1) / (b))
#define A1 0.31938153
#define A2 -0.356563782
#define A3 1.781477937
#define A4 -1.821255978
#define A5 1.330274429
#define RSQRT2PI 0.39894228040143267793994605993438
__device__ inline float cndGPU(float d) {
  const float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = float(RSQRT2PI) * __expf(-0.5f * d * d) * (K * (float(A1) + K * (float(A2) + K * (float(A3) + K * (float(A4) + K * float(A5))))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
static double CND(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }
__launch_bounds__(128) __global__ void BlackScholesGPU(float2 *__restrict d_Call, float2 *__restrict d_Put, float2 *__restrict d_S, float2 *__restrict d_X, float2 *__restrict d_T, float R, float V, int optN) {
  const int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < (optN / 2)) {
    float call[2], put[2];
    const float s[2] = {d_S[opt].x, d_S[opt].y}, x[2] = {d_X[opt].x, d_X[opt].y}, t[2] = {d_T[opt].x, d_T[opt].y};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float sqrtT = __fdividef(1.0F, rsqrtf(t[i])), d1 = __fdividef(__logf(s[i] / x[i]) + (R + 0.5f * V * V) * t[i], V * sqrtT), d2 = d1 - V * sqrtT;
      const float n1 = cndGPU(d1), n2 = cndGPU(d2), e = __expf(-R * t[i]);
      call[i] = s[i] * n1 - x[i] * e * n2;
      put[i] = x[i] * e * (1.0f - n2) - s[i] * (1.0f - n1);
    }
    d_Call[opt] = make_float2(call[0], call[1]);
    d_Put[opt] = make_float2(put[0], put[1]);
  }
}
#define NUM_STEPS 192
#define THREADBLOCK_SIZE 32
#define ELEMS_PER_THREAD (NUM_STEPS / THREADBLOCK_SIZE)
typedef struct { float S, X, vDt, puByDf, pdByDf; } __TOptionData;
static __constant__ __TOptionData d_OptionData[8];
__device__ inline float expiryCallValue(float S, float X, float vDt, int i) { float d = S * __expf(vDt * (2.0f * i - NUM_STEPS)) - X; return (d > 0.0F) ? d : 0.0F; }
__device__ float d_CallValue[8];
__global__ void binomialOptionsKernel() {
  __shared__ float call_exchange[THREADBLOCK_SIZE + 1];
  const int tid = threadIdx.x;
  const float S = d_OptionData[blockIdx.x].S, X = d_OptionData[blockIdx.x].X, vDt = d_OptionData[blockIdx.x].vDt, pu = d_OptionData[blockIdx.x].puByDf, pd = d_OptionData[blockIdx.x].pdByDf;
  float call[ELEMS_PER_THREAD + 1];
#pragma unroll
  for (int i = 0; i < ELEMS_PER_THREAD; ++i) call[i] = expiryCallValue(S, X, vDt, tid * ELEMS_PER_THREAD + i);
  if (tid == 0) call_exchange[THREADBLOCK_SIZE] = expiryCallValue(S, X, vDt, NUM_STEPS);
  int final_it = max(0, tid * ELEMS_PER_THREAD - 1);
#pragma unroll 16
  for (int i = NUM_STEPS; i > 0; --i) {
    call_exchange[tid] = call[0];
    __syncthreads();
    call[ELEMS_PER_THREAD] = call_exchange[tid + 1];
    __syncthreads();
    if (i > final_it) {
#pragma unroll
      for (int j = 0; j < ELEMS_PER_THREAD; ++j) call[j] = pu * call[j + 1] + pd * call[j];
    }
  }
  if (tid == 0) d_CallValue[blockIdx.x] = call[0];
}
__global__ void fwtBatch1Kernel(float *d_Output, float *d_Input, int log2N) {
  const int N = 1 << log2N, base = blockIdx.x << log2N;
  extern __shared__ float s_data[];
  float *d_Src = d_Input + base, *d_Dst = d_Output + base;
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) s_data[pos] = d_Src[pos];
  const int pos = threadIdx.x;
  for (int stride = N >> 2; stride > 0; stride >>= 2) {
    int lo = pos & (stride - 1), i0 = ((pos - lo) << 2) + lo, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    __syncthreads();
    float D0 = s_data[i0], D1 = s_data[i1], D2 = s_data[i2], D3 = s_data[i3], T;
    T = D0; D0 = D0 + D2; D2 = T - D2; T = D1; D1 = D1 + D3; D3 = T - D3; T = D0;
    s_data[i0] = D0 + D1; s_data[i1] = T - D1; T = D2; s_data[i2] = D2 + D3; s_data[i3] = T - D3;
  }
  __syncthreads();
  for (int pos = threadIdx.x; pos < N; pos += blockDim.x) d_Dst[pos] = s_data[pos];
}
static __constant__ unsigned int c_Table[3][31];
#define INT_SCALE (1.0f / (float)0x80000001U)
static __global__ void quasirandomGeneratorKernel(float *d_Output, unsigned int seed, unsigned int N) {
  unsigned int *dimBase = &c_Table[threadIdx.y][0], tid = __mul24(blockDim.x, blockIdx.x) + threadIdx.x, threadN = __mul24(blockDim.x, gridDim.x);
  for (unsigned int pos = tid; pos < N; pos += threadN) {
    unsigned int result = 0, data = seed + pos;
    for (int bit = 0; bit < 31; bit++, data >>= 1) if (data & 1) result ^= dimBase[bit];
    d_Output[__mul24(threadIdx.y, N) + pos] = (float)(result + 1) * INT_SCALE;
  }
}
__global__ void bisection(const float *d, const float *e, int n, float lo, float hi, float *eigen) {
  extern __shared__ float s[];
  float *sd = s, *se = s + n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sd[i] = d[i], se[i] = i ? e[i - 1] * e[i - 1] : 0;
  __syncthreads();
  float left = lo, right = hi;
  const int want = threadIdx.x;
  do {
    const float mid = 0.5f * (left + right);
    float delta = 1.f; int count = 0;
    for (int i = 0; i < n; ++i) { delta = sd[i] - mid - se[i] / delta; count += delta < 0; if (delta == 0) delta = 1e-20f; }
    if (count <= want) left = mid; else right = mid;
  } while (right - left > 1e-5f);
  eigen[want] = 0.5f * (left + right);
}
int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  const int optN = 1000;
  float *h[5], *d[5]; srand(5347);
  for (int i = 0; i < 5; i++) { h[i] = (float *)malloc(optN * 4); checkCudaErrors(cudaMalloc((void **)&d[i], optN * 4)); for (int j = 0; j < optN; j++) { float t = (float)rand() / (float)RAND_MAX; h[i][j] = i < 2 ? 0 : i == 2 ? 5 + 25 * t : i == 3 ? 1 + 99 * t : 0.25f + 9.75f * t; } checkCudaErrors(cudaMemcpy(d[i], h[i], optN * 4, cudaMemcpyHostToDevice)); }
  BlackScholesGPU<<<DIV_UP((optN / 2), 128), 128>>>((float2 *)d[0], (float2 *)d[1], (float2 *)d[2], (float2 *)d[3], (float2 *)d[4], 0.02f, 0.30f, optN);
  getLastCudaError("BlackScholesGPU() execution failed\n");
  double sum_delta = 0, sum_ref = 0;
  checkCudaErrors(cudaMemcpy(h[0], d[0], optN * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < optN; i++) { double s = h[2][i], x = h[3][i], t = h[4][i], d1 = (log(s / x) + (0.02 + 0.5 * 0.09) * t) / (0.3 * sqrt(t)), ref = s * CND(d1) - x * exp(-0.02 * t) * CND(d1 - 0.3 * sqrt(t)); sum_delta += fabs(ref - h[0][i]); sum_ref += fabs(ref); }
  const double L1 = sum_delta / sum_ref;
  __TOptionData option[8]; float values[8]; double want[8], bd = 0, br = 0;
  for (int i = 0; i < 8; i++) {
    double S = 20 + i, X = 22, T = 1 + 0.2 * i, R = 0.06, V = 0.1, dt = T / NUM_STEPS, vDt = V * sqrt(dt), rDt = R * dt, If = exp(rDt), Df = exp(-rDt), u = exp(vDt), dn = exp(-vDt), pu = (If - dn) / (u - dn), pdn = 1.0 - pu;
    option[i] = {(float)S, (float)X, (float)vDt, (float)(pu * Df), (float)(pdn * Df)};
    std::vector<double> c(NUM_STEPS + 1);
    for (int k = 0; k <= NUM_STEPS; k++) c[k] = std::max(0.0, S * exp(vDt * (2.0 * k - NUM_STEPS)) - X);
    for (int k = NUM_STEPS; k > 0; k--) for (int j = 0; j <= k - 1; j++) c[j] = pu * Df * c[j + 1] + pdn * Df * c[j];
    want[i] = c[0];
  }
  checkCudaErrors(cudaMemcpyToSymbol(d_OptionData, option, sizeof option));
  binomialOptionsKernel<<<8, THREADBLOCK_SIZE>>>();
  checkCudaErrors(cudaMemcpyFromSymbol(values, d_CallValue, sizeof values));
  for (int i = 0; i < 8; i++) bd += fabs(values[i] - want[i]), br += want[i];
  std::vector<float> w(256), got(256); int differ = 0;
  for (int i = 0; i < 256; i++) w[i] = i * 7 % 13 - 6;
  checkCudaErrors(cudaMemcpy(d[0], w.data(), 1024, cudaMemcpyHostToDevice));
  fwtBatch1Kernel<<<1, 64, 1024>>>(d[1], d[0], 8);
  checkCudaErrors(cudaMemcpy(got.data(), d[1], 1024, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 256; k++) { float s = 0; for (int j = 0; j < 256; j++) s += (__builtin_popcount(j & k) & 1) ? -w[j] : w[j]; differ += s != got[k]; }
  unsigned table[3][31];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 31; j++) table[i][j] = i == 0 ? 1u << (30 - j) : (1u << (30 - j)) ^ (j > i ? table[i][j - i] >> (i + 1) : 0u);
  checkCudaErrors(cudaMemcpyToSymbol(c_Table, table, sizeof table));
  quasirandomGeneratorKernel<<<2, dim3(32, 3)>>>(d[1], 1, 300);
  checkCudaErrors(cudaMemcpy(got.data(), d[1], 1024, cudaMemcpyDeviceToHost));
  bool sobol = fabsf(got[0] - 0.5f) < 1e-3f && fabsf(got[1] - 0.25f) < 1e-3f && fabsf(got[2] - 0.75f) < 1e-3f;
  const int n = 64; std::vector<float> diag(n, 2.f), off(n, -1.f); double worst = 0;
  checkCudaErrors(cudaMemcpy(d[2], diag.data(), n * 4, cudaMemcpyHostToDevice)); checkCudaErrors(cudaMemcpy(d[3], off.data(), n * 4, cudaMemcpyHostToDevice));
  bisection<<<1, n, 2 * n * 4>>>(d[2], d[3], n, -1.f, 5.f, d[4]);
  checkCudaErrors(cudaMemcpy(got.data(), d[4], n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(got[i] - (2 - 2 * cos(M_PI * (i + 1) / (n + 1)))));
  printf("black-scholes L1 %.1e, binomial L1 %.1e, walsh %d differ, sobol %s, bisection %.1e\n", L1, bd / br, differ, sobol ? "ok" : "wrong", worst);
  for (int i = 0; i < 5; i++) { free(h[i]); checkCudaErrors(cudaFree(d[i])); }
  exit(L1 < 1e-5 && bd / br < 1e-4 && !differ && sobol && worst < 1e-3 ? EXIT_SUCCESS : EXIT_FAILURE);
}
