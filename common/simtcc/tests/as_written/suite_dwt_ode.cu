// says: ^wavelet: rebuilt within [0-9.e-]+, ode: [0-9]+ steps, off by [0-9.e-]+, sorted 0 wrong$
// Wavelets by a class of buffers in shared memory, an ODE solver with large arrays of its own and several device functions through pointers, buckets and a sort of float4 by texture-free merging.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>
template <typename T, int SIZE, int BOUNDARY> class SlidingLine {
  T data[SIZE + 2 * BOUNDARY];
 public:
  __device__ T &operator[](int i) { return data[i + BOUNDARY]; }
  __device__ void load(const T *line, int n, int stride) { for (int i = int(threadIdx.x) - BOUNDARY; i < SIZE + BOUNDARY; i += blockDim.x) { int k = i < 0 ? -i : i; k = k >= n ? 2 * n - 2 - k : k; data[i + BOUNDARY] = line[k * stride]; } }
};
template <typename T, int N> __global__ void forward(const T *in, T *out, int stride, int step) {
  __shared__ SlidingLine<T, N, 4> line;
  const T *from = in + blockIdx.x * step;
  line.load(from, N, stride);
  __syncthreads();
  const int half = N / 2;
  for (int i = threadIdx.x; i < half; i += blockDim.x) {
    const T high = line[2 * i + 1] - T(0.5) * (line[2 * i] + line[2 * i + 2]);
    const T before = line[2 * i - 1] - T(0.5) * (line[2 * i - 2] + line[2 * i]);
    out[blockIdx.x * step + i * stride] = line[2 * i] + T(0.25) * (before + high);
    out[blockIdx.x * step + (half + i) * stride] = high;
  }
}
template <typename T, int N> __global__ void backward(const T *in, T *out, int stride, int step) {
  __shared__ T even[N / 2 + 1], high[N / 2];
  const int half = N / 2, i = threadIdx.x;
  high[i] = in[blockIdx.x * step + (half + i) * stride];
  __syncthreads();
  even[i] = in[blockIdx.x * step + i * stride] - T(0.25) * (high[i ? i - 1 : 0] + high[i]);
  __syncthreads();
  out[blockIdx.x * step + 2 * i * stride] = even[i];
  out[blockIdx.x * step + (2 * i + 1) * stride] = high[i] + T(0.5) * (even[i] + (i + 1 < half ? even[i + 1] : even[half - 1]));
}
#define EQUATIONS 91
typedef void (*rhs_t)(double t, const double *y, double *dy, const double *params);
__device__ void decay(double t, const double *y, double *dy, const double *p) { for (int i = 0; i < EQUATIONS; i++) dy[i] = -p[i % 4] * (y[i] - sin(t)) + cos(t); }
__device__ void oscillate(double, const double *y, double *dy, const double *p) { for (int i = 0; i + 1 < EQUATIONS; i += 2) dy[i] = p[0] * y[i + 1], dy[i + 1] = -p[0] * y[i]; dy[EQUATIONS - 1] = 0; }
__device__ rhs_t systems[] = {decay, oscillate};
__device__ bool fehlberg(rhs_t f, double h, double t, const double *y, double *next, double *error, const double *p) {
  double k[4][EQUATIONS], tmp[EQUATIONS];  // large
  f(t, y, k[0], p);
  for (int i = 0; i < EQUATIONS; i++) tmp[i] = y[i] + h * 0.5 * k[0][i];
  f(t + 0.5 * h, tmp, k[1], p);
  for (int i = 0; i < EQUATIONS; i++) tmp[i] = y[i] + h * 0.75 * k[1][i];
  f(t + 0.75 * h, tmp, k[2], p);
  for (int i = 0; i < EQUATIONS; i++) next[i] = y[i] + h * (2 * k[0][i] + 3 * k[1][i] + 4 * k[2][i]) / 9;
  f(t + h, next, k[3], p);
  *error = 0;
  for (int i = 0; i < EQUATIONS; i++) *error = fmax(*error, fabs(h * (-5 * k[0][i] / 72 + k[1][i] / 12 + k[2][i] / 9 - k[3][i] / 8)));
  return isfinite(*error);
}
__global__ void solve(double *y_all, const double *params, int *steps, double end, int workload) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= workload) return;
  double y[EQUATIONS], next[EQUATIONS], t = 0, h = 0.05, error;
  for (int i = 0; i < EQUATIONS; i++) y[i] = y_all[tid * EQUATIONS + i];
  int n = 0;
  while (t < end) {
    if (t + h > end) h = end - t;
    if (!fehlberg(systems[tid % 2], h, t, y, next, &error, params)) goto failed;
    if (error < 1e-5) { t += h; for (int i = 0; i < EQUATIONS; i++) y[i] = next[i]; n++; }
    h *= fmin(2.0, fmax(0.3, 0.9 * cbrt(1e-5 / (error + 1e-12))));
  }
  for (int i = 0; i < EQUATIONS; i++) y_all[tid * EQUATIONS + i] = y[i];
  atomicAdd(steps, n);
  return;
failed:
  atomicMax(steps, 1 << 30);
}
__global__ void bucketcount(const float *in, int *place, unsigned *offsets, int n, float least, float width, int buckets) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { const int b = min(buckets - 1, int((in[i] - least) / width)); place[i] = (b << 16) | atomicAdd(offsets + b, 1u); }
}
__global__ void bucketsort(const float *in, const int *place, const unsigned *begins, float4 *out, int n) { float *o = (float *)out; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) o[begins[place[i] >> 16] + (place[i] & 0xffff)] = in[i]; }
__device__ float4 sortElem(float4 r) {
  float4 nr;
  nr.x = (r.x > r.y) ? r.y : r.x; nr.y = (r.y > r.x) ? r.y : r.x; nr.z = (r.z > r.w) ? r.w : r.z; nr.w = (r.w > r.z) ? r.w : r.z;
  r.x = (nr.x > nr.z) ? nr.z : nr.x; r.y = (nr.y > nr.w) ? nr.w : nr.y; r.z = (nr.z > nr.x) ? nr.z : nr.x; r.w = (nr.w > nr.y) ? nr.w : nr.y;
  nr.x = r.x; nr.y = (r.y > r.z) ? r.z : r.y; nr.z = (r.z > r.y) ? r.z : r.y; nr.w = r.w;
  return nr;
}
__global__ void mergeSortFirst(float4 *result, int listsize) { const int b = blockIdx.x * blockDim.x + threadIdx.x; if (b < listsize / 4) result[b] = sortElem(result[b]); }
__global__ void mergePass(const float *in, float *out, const unsigned *begins, int buckets, int width) {
  const int b = blockIdx.x;
  const unsigned from = begins[b], to = begins[b + 1];
  for (unsigned start = from + threadIdx.x * 2 * width; start < to; start += blockDim.x * 2 * width) {
    const unsigned middle = min(start + width, to), end = min(start + 2 * width, to);
    unsigned i = start, j = middle, k = start;
    while (i < middle || j < end) out[k++] = j >= end || (i < middle && in[i] <= in[j]) ? in[i++] : in[j++];
  }
}
int main() {
  const int N = 64, rows = 16;
  std::vector<float> image(N * rows), again(N * rows); float *d[2], worst = 0;
  for (int i = 0; i < N * rows; i++) image[i] = sinf(i * 0.1f) + (i % 11) * 0.2f;
  cudaMalloc(&d[0], N * rows * 4); cudaMalloc(&d[1], N * rows * 4);
  cudaMemcpy(d[0], image.data(), N * rows * 4, cudaMemcpyHostToDevice);
  forward<float, N><<<rows, 32>>>(d[0], d[1], 1, N);
  forward<float, rows><<<N, 8>>>(d[1], d[0], N, 1);
  backward<float, rows><<<N, rows / 2>>>(d[0], d[1], N, 1);
  backward<float, N><<<rows, N / 2>>>(d[1], d[0], 1, N);
  cudaMemcpy(again.data(), d[0], N * rows * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N * rows; i++) worst = fmaxf(worst, fabsf(again[i] - image[i]));
  const int work = 6; std::vector<double> y(work * EQUATIONS), p = {0.5, 1, 1.5, 2}; double *dy, *dp, off = 0; int *dn, steps;
  for (int w = 0; w < work; w++) for (int i = 0; i < EQUATIONS; i++) y[w * EQUATIONS + i] = w % 2 ? i % 2 == 0 : 0;
  cudaMalloc(&dy, y.size() * 8); cudaMalloc(&dp, 32); cudaMalloc(&dn, 4); cudaMemset(dn, 0, 4);
  cudaMemcpy(dy, y.data(), y.size() * 8, cudaMemcpyHostToDevice); cudaMemcpy(dp, p.data(), 32, cudaMemcpyHostToDevice);
  solve<<<(work + 3) / 4, 4>>>(dy, dp, dn, 2.0, work);
  cudaMemcpy(y.data(), dy, y.size() * 8, cudaMemcpyDeviceToHost); cudaMemcpy(&steps, dn, 4, cudaMemcpyDeviceToHost);
  for (int w = 0; w < work; w++) for (int i = 0; i < EQUATIONS; i++) off = fmax(off, fabs(y[w * EQUATIONS + i] - (w % 2 == 0 ? sin(2.0) : i == EQUATIONS - 1 ? 1 : i % 2 ? -sin(1.0) : cos(1.0))));
  const int n = 1000, buckets = 8; std::vector<float> x(n), s(n); std::vector<unsigned> counts(buckets + 1), begins(buckets + 1);
  for (int i = 0; i < n; i++) x[i] = float(i * 7919 % 1009);
  float *dx; int *place, wrong = 0; unsigned *doff; cudaMalloc(&dx, n * 4); cudaMalloc(&place, n * 4); cudaMalloc(&doff, (buckets + 1) * 4); cudaMemset(doff, 0, (buckets + 1) * 4);
  cudaMemcpy(dx, x.data(), n * 4, cudaMemcpyHostToDevice);
  bucketcount<<<2, 64>>>(dx, place, doff, n, 0.f, 1009.f / buckets, buckets);
  cudaMemcpy(counts.data(), doff, (buckets + 1) * 4, cudaMemcpyDeviceToHost);
  for (int b = 0; b < buckets; b++) begins[b + 1] = begins[b] + counts[b];
  cudaMemcpy(doff, begins.data(), (buckets + 1) * 4, cudaMemcpyHostToDevice);
  bucketsort<<<2, 64>>>(dx, place, doff, (float4 *)d[0], n);
  for (int width = 1, side = 0; ; width *= 2, side ^= 1) {
    if (width >= n) { cudaMemcpy(s.data(), d[side], n * 4, cudaMemcpyDeviceToHost); break; }
    mergePass<<<buckets, 32>>>(d[side], d[side ^ 1], doff, buckets, width);
  }
  std::sort(x.begin(), x.end());
  for (int i = 0; i < n; i++) wrong += s[i] != x[i];
  cudaMemcpy(d[0], x.data(), 64, cudaMemcpyHostToDevice); mergeSortFirst<<<1, 4>>>((float4 *)d[0], 16);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("wavelet: rebuilt within %.1e, ode: %d steps, off by %.1e, sorted %d wrong\n", worst, steps, off, wrong);
  return worst > 1e-4f || off > 1e-3 || steps > 10000 || wrong;
}
