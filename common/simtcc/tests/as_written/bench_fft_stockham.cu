// says: ^fft: error [0-9.e-]+ forward, [0-9.e-]+ back, stockham [0-9.e-]+, bits 0$
// Fourier transforms: radix 4 in registers with exchanges in shared memory (padded), Stockham with ping-pong, complex as float2 and as cuFloatComplex, __brev.
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>
#include <cuComplex.h>
#include <cuda_runtime.h>
constexpr int N = 256, BATCH = 3;
using T2 = float2;
template <typename T> constexpr __host__ __device__ T pi() { return T(3.14159265358979323846); }
__device__ __forceinline__ T2 operator*(const T2 &a, const T2 &b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ __forceinline__ T2 operator+(const T2 &a, const T2 &b) { return {a.x + b.x, a.y + b.y}; }
__device__ __forceinline__ T2 operator-(const T2 &a, const T2 &b) { return {a.x - b.x, a.y - b.y}; }
template <int dir> __device__ __forceinline__ T2 twiddle(float k, float n) { float s, c; sincosf(dir * 2.0f * pi<float>() * k / n, &s, &c); return make_float2(c, s); }
template <int dir> __device__ void fft4(T2 *a) {
  T2 s0 = a[0] + a[2], d0 = a[0] - a[2], s1 = a[1] + a[3], d1 = a[1] - a[3];
  T2 r = dir < 0 ? make_float2(d1.y, -d1.x) : make_float2(-d1.y, d1.x);
  a[0] = s0 + s1; a[1] = d0 + r; a[2] = s0 - s1; a[3] = d0 - r;
}
template <int stride, int of> __device__ __forceinline__ void exchange(T2 *a, float *s, int from, int to) {
#pragma unroll
  for (int half = 0; half < 2; half++) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++) { const int k = from + i * of; s[k + (k >> 5)] = half ? a[i].y : a[i].x; }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++) { const int k = to + i * stride; (half ? a[i].y : a[i].x) = s[k + (k >> 5)]; }
  }
}
template <int dir> __global__ __launch_bounds__(64) void fft256(T2 *work) {
  __shared__ float smem[N + N / 32];
  T2 a[4];
  const int tid = threadIdx.x;
  work += blockIdx.x * N + tid;
  for (int i = 0; i < 4; i++) a[i] = work[64 * i];
  fft4<dir>(a);
  int n = 1;
#pragma unroll
  for (int pass = 0; pass < 3; pass++, n *= 4) {
    const int k = tid / n * n * 4 + tid % n;
    if (n == 1) exchange<64, 1>(a, smem, k, tid); else if (n == 4) exchange<64, 4>(a, smem, k, tid); else exchange<64, 16>(a, smem, k, tid);
    const int j = tid % (4 * n);
    for (int i = 1; i < 4; i++) a[i] = a[i] * twiddle<dir>(j * i, 16 * n);
    fft4<dir>(a);
  }
  for (int i = 0; i < 4; i++) work[64 * i] = a[i];
}
__global__ void stockham(const cuFloatComplex *in, cuFloatComplex *out, unsigned *bits) {
  extern __shared__ cuFloatComplex pool[];
  cuFloatComplex *x = pool, *y = pool + N, *t;
  const unsigned tid = threadIdx.x;
  x[tid] = in[blockIdx.x * N + tid]; x[tid + N / 2] = in[blockIdx.x * N + tid + N / 2];
  bits[tid] = __brev(tid) >> (32 - 7);
  for (unsigned l = N / 2, m = 1; l >= 1; l >>= 1, m <<= 1) {
    __syncthreads();
    const unsigned j = tid / m, k = tid % m;
    float s, c;
    __sincosf(-pi<float>() * j / l, &s, &c);
    const cuFloatComplex a = x[k + j * m], b = x[k + j * m + l * m];
    y[k + 2 * j * m] = cuCaddf(a, b);
    y[k + 2 * j * m + m] = cuCmulf(make_cuFloatComplex(c, s), cuCsubf(a, b));
    t = x; x = y; y = t;
  }
  __syncthreads();
  for (unsigned i = tid; i < N; i += blockDim.x) out[blockIdx.x * N + i] = x[i];
}
int main() {
  std::vector<std::complex<float>> source(N * BATCH), result(N * BATCH), back(N * BATCH), sto(N * BATCH);
  std::vector<std::complex<double>> want(N * BATCH);
  for (size_t i = 0; i < source.size(); ++i) source[i] = {float((i * 37 % 101) / 101.0 - 0.5), float((i * 53 % 89) / 89.0 - 0.5)};
  for (int b = 0; b < BATCH; b++) for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) want[b * N + k] += std::complex<double>(source[b * N + j]) * std::polar(1.0, -2 * pi<double>() * k * j / N);
  T2 *work; cuFloatComplex *out; unsigned *bits, h_bits[N / 2];
  const size_t bytes = source.size() * sizeof(T2);
  assert(cudaMalloc(&work, bytes) == cudaSuccess && cudaMalloc((void **)&out, bytes) == cudaSuccess && cudaMalloc(&bits, sizeof h_bits) == cudaSuccess);
  cudaMemcpy(work, source.data(), bytes, cudaMemcpyHostToDevice);
  stockham<<<BATCH, N / 2, 2 * N * sizeof(cuFloatComplex)>>>(work, out, bits);
  cudaMemcpy(sto.data(), out, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(h_bits, bits, sizeof h_bits, cudaMemcpyDeviceToHost);
  fft256<-1><<<BATCH, 64>>>(work);
  cudaMemcpy(result.data(), work, bytes, cudaMemcpyDeviceToHost);
  fft256<1><<<BATCH, 64>>>(work);
  cudaMemcpy(back.data(), work, bytes, cudaMemcpyDeviceToHost);
  double forward = 0, backward = 0, other = 0; int wrong = 0;
  for (int i = 0; i < N * BATCH; i++) {
    forward = fmax(forward, abs(std::complex<double>(result[i]) - want[i]));
    other = fmax(other, abs(std::complex<double>(sto[i]) - want[i]));
    backward = fmax(backward, abs(back[i] / float(N) - source[i]));
  }
  for (int i = 0; i < N / 2; i++) { int r = 0; for (int b = 0; b < 7; b++) r |= (i >> b & 1) << (6 - b); wrong += r != (int)h_bits[i]; }
  printf("fft: error %.1e forward, %.1e back, stockham %.1e, bits %d\n", forward, backward, other, wrong);
  return forward > 1e-3 || backward > 1e-5 || other > 1e-3 || wrong;
}
