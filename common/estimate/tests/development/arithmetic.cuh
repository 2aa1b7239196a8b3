// Chains and throughput of instructions, registers, constants, arrays of a thread, lanes that part.
// a = 1 and b = 0 leave a value as it is, which no compiler knows.
#pragma once

#include <type_traits>

#include "words.cuh"

namespace development {

// Where a chain begins.
template <typename T>
__device__ T firstOf(unsigned i) {
  if constexpr (std::is_same_v<T, __half2>)
    return __float2half2_rn(float(1 + i % 64));
  else
    return T(1 + i % 64);
}

// How the next value of a chain is made, and how two are added.
template <typename T>
__device__ T sumOf(T a, T b) {
  if constexpr (std::is_same_v<T, __half2>)
    return __hadd2(a, b);
  else
    return a + b;
}
struct MultiplyAdd {
  template <typename T>
  __device__ static T next(T v, T a, T b) {
    return v * a + b;
  }
};
struct HalvesMultiplyAdd {
  __device__ static __half2 next(__half2 v, __half2 a, __half2 b) { return __hfma2(v, a, b); }
};
struct AddXor {
  __device__ static unsigned next(unsigned v, unsigned a, unsigned b) { return (v + b) ^ (a - 1); }
};
struct ShiftMax {
  __device__ static unsigned next(unsigned v, unsigned a, unsigned b) {
    const unsigned shifted = v >> b;
    return shifted > a ? shifted : a;
  }
};
struct Divide {
  __device__ static unsigned next(unsigned v, unsigned a, unsigned b) { return v / a + b; }
};
struct Convert {
  __device__ static float next(float v, float, float b) { return float(int(v)) + b; }
};
struct Invert {
  __device__ static float next(float v, float a, float) { return __fdividef(a, v); }
};

// So many values of a thread go on their way side by side.
template <typename Next, typename T, unsigned chains>
__global__ void chainsOf(T* y, unsigned steps, T a, T b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T v[chains];
#pragma unroll
  for (unsigned c = 0; c < chains; ++c) v[c] = firstOf<T>(i + c);
#pragma unroll 8
  for (unsigned k = 0; k < steps; ++k) {
#pragma unroll
    for (unsigned c = 0; c < chains; ++c) v[c] = Next::next(v[c], a, b);
  }
  T sum = v[0];
#pragma unroll
  for (unsigned c = 1; c < chains; ++c) sum = sumOf(sum, v[c]);
  y[i] = sum;
}

// One chain, in a loop that is unrolled by so many.
template <unsigned by>
__global__ void unrolledChain(float* y, unsigned steps, float a, float b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = float(i % 64);
#pragma unroll by
  for (unsigned k = 0; k < steps; ++k) v = v * a + b;
  y[i] = v;
}

// A value of a thread is needed by two others in each round: all of them stay in registers.
template <unsigned values>
__global__ void manyRegisters(const float* x, float* y, unsigned rounds, float a, float b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float v[values];
#pragma unroll
  for (unsigned k = 0; k < values; ++k) v[k] = x[i + k * threads];
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll
    for (unsigned k = 0; k < values; ++k) v[k] = v[k] * a + v[(k + 1) % values] * b;
  }
  float sum = 0;
#pragma unroll
  for (unsigned k = 0; k < values; ++k) sum += v[k];
  y[i] = sum;
}

__global__ void exponentials(const float* x, float* y, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = logf(1.0f + expf(x[i])) + sinf(x[i]);
}

// Lanes of a warp ask for so many different constants.
__global__ void constants(float* y, unsigned steps, unsigned different) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < steps; ++k) sum += table.of[(i % different + k) % 64];
  y[i] = sum;
}

// An array of a thread that no register can hold, as its places are known only while it runs.
template <unsigned size>
__global__ void localArray(const unsigned* x, unsigned* y, unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned counts[size];
  for (unsigned k = 0; k < size; ++k) counts[k] = k;
  unsigned at = x[i];
  for (unsigned r = 0; r < rounds; ++r) {
    counts[at % size] += 1;
    at = at * 1664525u + 1013904223u;
  }
  unsigned sum = 0;
  for (unsigned k = 0; k < size; ++k) sum += counts[k];
  y[i] = sum;
}

// Lanes, or warps, go round a loop different numbers of times.
template <bool byWarp>
__global__ void differentTurns(const unsigned* x, float* y, float a, float b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned turns = x[byWarp ? i / 32 : i] % 256;
  float v = float(i % 64);
  for (unsigned k = 0; k < turns; ++k) v = v * a + b;
  y[i] = v;
}

// Even and odd lanes do different work.
__global__ void twoWays(float* y, unsigned steps, float a, float b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = float(i % 64);
  if (i % 2 == 0) {
    for (unsigned k = 0; k < steps; ++k) v = v * a + b;
  } else {
    for (unsigned k = 0; k < steps; ++k) v = (v + b) * a;
  }
  y[i] = v;
}

// The last block has nothing to do.
__global__ void lastIsIdle(float* y, unsigned steps, float a, float b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x + 1 == gridDim.x) return;
  float v = float(i % 64);
  for (unsigned k = 0; k < steps; ++k) v = v * a + b;
  y[i] = v;
}

// Few threads add up a stretch of memory.
__global__ void serialSum(const unsigned* x, unsigned* y, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  y[threadIdx.x] = sum;
}

// One thread goes from place to place.
__global__ void hops(const unsigned* x, unsigned* y, unsigned steps, unsigned within) {
  unsigned at = 1;
  for (unsigned k = 0; k < steps; ++k) at = (x[at % within] ^ at * 2654435761u) >> 3;
  *y = at;
}

}  // namespace development
