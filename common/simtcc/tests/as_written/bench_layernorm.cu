// flags: -std=c++17
// says: ^float: ok half: ok bfloat16: ok$
// Rows normalised in three types, vectors of four, Welford's numbers shuffled as a struct.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>
template <typename T> __device__ __host__ float to_float(T x) { return static_cast<float>(x); }
template <> __device__ __host__ float to_float<__half>(__half x) { return __half2float(x); }
template <> __device__ __host__ float to_float<__nv_bfloat16>(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T> __device__ __host__ T from_float(float x);
template <> __device__ __host__ float from_float<float>(float x) { return x; }
template <> __device__ __host__ __half from_float<__half>(float x) { return __float2half_rn(x); }
template <> __device__ __host__ __nv_bfloat16 from_float<__nv_bfloat16>(float x) { return __float2bfloat16(x); }

struct Welford {
  float mean = 0.f, m2 = 0.f;
  int n = 0;
  __device__ void add(float x) {
    n++;
    float d = x - mean;
    mean += d / n;
    m2 += d * (x - mean);
  }
  __device__ Welford merged(const Welford &o) const {
    if (o.n == 0) return *this;
    Welford r;
    r.n = n + o.n;
    const float d = o.mean - mean;
    r.mean = mean + d * o.n / r.n;
    r.m2 = m2 + o.m2 + d * d * n * o.n / r.n;
    return r;
  }
  __device__ Welford shuffled(int mask) const {
    Welford r;
    r.mean = __shfl_xor_sync(~0u, mean, mask);
    r.m2 = __shfl_xor_sync(~0u, m2, mask);
    r.n = __shfl_xor_sync(~0u, n, mask);
    return r;
  }
};
template <typename T, int VEC> struct __align__(sizeof(T) * VEC) Pack { T v[VEC]; };

template <typename T, int VEC = 4>
__global__ void layer_norm(const T *__restrict__ in, const float *__restrict__ gamma, const float *beta, T *__restrict__ out, int cols, float eps) {
  using P = Pack<T, VEC>;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const P *src = reinterpret_cast<const P *>(in + size_t(row) * cols);
  P *dst = reinterpret_cast<P *>(out + size_t(row) * cols);
  Welford w;
  for (int i = threadIdx.x; i < cols / VEC; i += 32) {
    const P p = src[i];
#pragma unroll
    for (int k = 0; k < VEC; ++k) w.add(to_float(p.v[k]));
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) w = w.merged(w.shuffled(mask));
  const float rstd = rsqrtf(w.m2 / cols + eps);
  for (int i = threadIdx.x; i < cols / VEC; i += 32) {
    P p = src[i];
#pragma unroll
    for (int k = 0; k < VEC; ++k)
      p.v[k] = from_float<T>((to_float(p.v[k]) - w.mean) * rstd * gamma[i * VEC + k] + beta[i * VEC + k]);
    dst[i] = p;
  }
}
template <typename T> const char *test(float tolerance) {
  const int rows = 8, cols = 200;
  std::vector<T> h(rows * cols), r(h.size());
  std::vector<float> gamma(cols), beta(cols);
  for (size_t i = 0; i < h.size(); i++) h[i] = from_float<T>(float(i * 7919 % 1000) / 500 - 1);
  for (int i = 0; i < cols; i++) gamma[i] = 1 + 0.01f * i, beta[i] = 0.5f - 0.001f * i;
  T *in, *out; float *g, *b;
  cudaMalloc(&in, h.size() * sizeof(T)), cudaMalloc(&out, h.size() * sizeof(T));
  cudaMalloc(&g, cols * 4), cudaMalloc(&b, cols * 4);
  cudaMemcpy(in, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(g, gamma.data(), cols * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(b, beta.data(), cols * 4, cudaMemcpyHostToDevice);
  layer_norm<T><<<rows / 4, dim3(32, 4)>>>(in, g, b, out, cols, 1e-5f);
  cudaMemcpy(r.data(), out, h.size() * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < rows; i++) {
    double mean = 0, var = 0;
    for (int j = 0; j < cols; j++) mean += to_float(h[i * cols + j]) / cols;
    for (int j = 0; j < cols; j++) var += pow(to_float(h[i * cols + j]) - mean, 2) / cols;
    for (int j = 0; j < cols; j++) {
      const double want = (to_float(h[i * cols + j]) - mean) / sqrt(var + 1e-5) * gamma[j] + beta[j];
      if (!(fabs(want - to_float(r[i * cols + j])) <= tolerance)) return "WRONG";
    }
  }
  cudaFree(in), cudaFree(out), cudaFree(g), cudaFree(b);
  return "ok";
}
int main() { printf("float: %s half: %s bfloat16: %s\n", test<float>(1e-4f), test<half>(1e-2f), test<nv_bfloat16>(6e-2f)); }
