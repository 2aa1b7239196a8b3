// Frozen set: arithmetic of every kind, n bodies, fractals, random numbers.
#pragma once

#include <cuda_fp16.h>

#include "words.cuh"

namespace frozen {

// ---- Polynomials: 512 steps of t = t * x + c in so many chains that do not need each other.

template <unsigned chains>
__global__ void hornerChains(const float* x, float* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const float v = x[i];
  float t[chains];
#pragma unroll
  for (unsigned c = 0; c < chains; ++c) t[c] = float(c);
  for (unsigned k = 0; k < 512 / chains; ++k)
#pragma unroll
    for (unsigned c = 0; c < chains; ++c) t[c] = t[c] * v + 0.25f;
  float sum = 0;
#pragma unroll
  for (unsigned c = 0; c < chains; ++c) sum += t[c];
  y[i] = sum;
}

__global__ void hornerDouble(const double* x, double* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const double v = x[i];
  double a = 1, b = 2;
  for (unsigned k = 0; k < 128; ++k) {
    a = a * v + 0.25;
    b = b * v + 0.5;
  }
  y[i] = a + b;
}

__global__ void axpyDouble(double a, const double* x, const double* y, double* z, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) z[i] = a * x[i] + y[i];
}

__global__ void rootsDouble(const double* x, double* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  double v = x[i] + 2;
  for (unsigned k = 0; k < 8; ++k) v = sqrt(v) + 1 / v;
  y[i] = v;
}

// ---- Two halves at a time.

__global__ void axpyHalf2(const __half2* x, const __half2* y, __half2* z) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  z[i] = __hfma2(__float2half2_rn(0.5f), x[i], y[i]);
}

__global__ void hornerHalf2(const __half2* x, __half2* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const __half2 v = x[i], c = __float2half2_rn(0.25f);
  __half2 a = c, b = v;
  for (unsigned k = 0; k < 128; ++k) {
    a = __hfma2(a, v, c);
    b = __hfma2(b, v, c);
  }
  y[i] = __hadd2(a, b);
}

// ---- Integers.

__host__ __device__ inline unsigned mixed(unsigned h) {
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return h ^ (h >> 15);
}

template <unsigned chains>
__global__ void hashChains(const unsigned* x, unsigned* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned h[chains];
#pragma unroll
  for (unsigned c = 0; c < chains; ++c) h[c] = x[i] + c;
  for (unsigned k = 0; k < 64 / chains; ++k)
#pragma unroll
    for (unsigned c = 0; c < chains; ++c) h[c] = mixed(h[c]);
  unsigned all = 0;
#pragma unroll
  for (unsigned c = 0; c < chains; ++c) all ^= h[c];
  y[i] = all;
}

__global__ void hashLong(const unsigned* x, unsigned long long* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned long long h = x[i];
  for (unsigned k = 0; k < 32; ++k) h = (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9u + k;
  y[i] = h;
}

// Divisions by a number that only the launch knows.
__global__ void digitSum(const unsigned* x, unsigned* y, unsigned base) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned v = x[i], sum = 0;
  for (; v > 0; v /= base) sum += v % base;
  y[i] = sum;
}

// ---- Functions.

__global__ void wavesAndLogarithms(const float* x, float* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float v = x[i];
  for (unsigned k = 0; k < 8; ++k) v = sinf(v) + cosf(v) * logf(v * v + 1.5f);
  y[i] = v;
}

__global__ void fastExponentials(const float* x, float* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float v = x[i], w = v + 1;
  for (unsigned k = 0; k < 16; ++k) {
    v = __expf(-v);
    w = __fdividef(1.0f, w + v);
  }
  y[i] = v + w;
}

// ---- n bodies on a line of three dimensions: positions and masses in float4.

__device__ inline void attract(float4 me, float4 other, float3* force) {
  const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  const float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
  const float pull = other.w * near * near * near;
  force->x += pull * dx;
  force->y += pull * dy;
  force->z += pull * dz;
}

__global__ void bodiesFromGlobal(const float4* bodies, float* strength, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (unsigned k = 0; k < count; ++k) attract(me, bodies[k], &force);
  strength[i] = force.x + force.y + force.z;
}

// Blocks of 128.
__global__ void bodiesFromTiles(const float4* bodies, float* strength, unsigned count) {
  __shared__ float4 tile[128];
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  const float4 me = bodies[i];
  float3 force = make_float3(0, 0, 0);
  for (unsigned first = 0; first < count; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (unsigned k = 0; k < 128; ++k) attract(me, tile[k], &force);
    __syncthreads();
  }
  strength[i] = force.x + force.y + force.z;
}

// ---- Lanes that part.

// In whole numbers of 1/4096, so that any machine counts the same steps.
__host__ __device__ inline unsigned stepsToLeave(int cx, int cy, unsigned most) {
  int x = 0, y = 0;
  unsigned k = 0;
  for (; k < most; ++k) {
    const int xx = x * x / 4096, yy = y * y / 4096;
    if (xx + yy > 4 * 4096) break;
    y = 2 * x * y / 4096 + cy;
    x = xx - yy + cx;
  }
  return k;
}

__global__ void mandelbrot(unsigned* steps, unsigned width, unsigned height, unsigned most) {
  const unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned r = blockIdx.y * blockDim.y + threadIdx.y;
  steps[size_t(r) * width + c] =
      stepsToLeave(int(c * 12288 / width) - 8192, int(r * 8192 / height) - 4096, most);
}

__host__ __device__ inline unsigned stepsToOne(unsigned long long v) {
  unsigned k = 0;
  for (; v > 1; ++k) v = v % 2 ? 3 * v + 1 : v / 2;
  return k;
}

__global__ void collatz(unsigned* steps) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  steps[i] = stepsToOne(i + 1);
}

// The same work for odd and even lanes, or for odd and even warps, by two ways.
template <unsigned together>
__global__ void twoWays(const float* x, float* y) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  float v = x[i];
  if (i / together % 2)
    for (unsigned k = 0; k < 64; ++k) v = v * 0.75f + 0.125f;
  else
    for (unsigned k = 0; k < 64; ++k) v = (v + 1) / (v + 2);
  y[i] = v;
}

// ---- Random numbers: how many of so many points lie in a quarter of a circle.

__host__ __device__ inline unsigned nextXorShift(unsigned s) {
  s ^= s << 13;
  s ^= s >> 17;
  return s ^ (s << 5);
}

__host__ __device__ inline unsigned pointsInside(unsigned seed, unsigned points) {
  unsigned s = seed * 2654435761u + 1, inside = 0;
  for (unsigned k = 0; k < points; ++k) {
    s = nextXorShift(s);
    const unsigned a = s >> 17;
    s = nextXorShift(s);
    const unsigned b = s >> 17;
    inside += a * a + b * b < (1u << 30);
  }
  return inside;
}

__global__ void quarterCircle(unsigned* inside, unsigned points) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  inside[i] = pointsInside(i, points);
}

// A walk on a ring of 64 places, each step up or down: how often it was at its start.
__global__ void randomWalk(unsigned* visits, unsigned steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 2654435761u + 1, place = 0, count = 0;
  for (unsigned k = 0; k < steps; ++k) {
    s = nextXorShift(s);
    if (s & 64)
      ++place;
    else
      --place;
    if (place % 64 == 0) ++count;
  }
  visits[i] = count;
}

}  // namespace frozen
