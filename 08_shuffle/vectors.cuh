// Lesson 08: 16-byte loads, four int or two double at once, from an array that begins anywhere.
#pragma once

#include "cuda/kernel.h"

// clang-format off
template <typename T> struct VectorOf;
template <> struct VectorOf<int> { using type = int4; };
template <> struct VectorOf<float> { using type = float4; };
template <> struct VectorOf<long long> { using type = longlong2; };
template <> struct VectorOf<double> { using type = double2; };
// clang-format on

// An array as 16-byte vectors from its first cache line (128 bytes) on, and the elements left over:
// those before that line and those behind the last vector. The vectors are read in rounds, in which
// each thread of a block has some loads in flight.
template <typename T>
struct Vectors {
  using Vector = typename VectorOf<T>::type;
  static constexpr size_t perVector = sizeof(Vector) / sizeof(T);
  const T *before, *after;
  unsigned countBefore, countAfter;
  const Vector* first;
  size_t count;

  __device__ Vectors(const T* data, size_t n) : before(data) {
    const size_t unaligned = (0 - reinterpret_cast<uintptr_t>(data)) % 128 / sizeof(T);
    countBefore = unsigned(min(n, unaligned));
    countAfter = unsigned((n - countBefore) % perVector);
    first = reinterpret_cast<const Vector*>(data + countBefore);
    count = (n - countBefore) / perVector;
    after = data + (n - countAfter);
  }

  // Some vectors, i and each a block's width behind the one before. Where the array may not have
  // them all, each is asked for: that is for the last round, and none stands in for elements behind
  // the end.
  template <unsigned loads>
  __device__ void load(Vector (&v)[loads], size_t i, bool all, T none) const {
    if (all) {
      for (unsigned k = 0; k < loads; ++k) v[k] = first[i + k * blockDim.x];
    } else {
      for (unsigned k = 0; k < loads; ++k) {
        const size_t at = i + k * blockDim.x;
        v[k] = at < count ? first[at] : filled(none);
      }
    }
  }

  // The left-over elements for this thread of the first block, or none: fewer than 32 before the
  // vectors, fewer than four behind them.
  __device__ T leftBefore(T none) const {
    return blockIdx.x == 0 && threadIdx.x < countBefore ? before[threadIdx.x] : none;
  }
  __device__ T leftAfter(T none) const {
    return blockIdx.x == 0 && threadIdx.x < countAfter ? after[threadIdx.x] : none;
  }

 private:
  __device__ static Vector filled(T value) {
    if constexpr (perVector == 4)
      return {value, value, value, value};
    else
      return {value, value};
  }
};

// What a thread adds up of its block's tile: rounds of so many 16-byte loads. The last tile belongs
// to the first block, together with the left-over elements. It is the one that may not be whole
// (with an unaligned array the one before it, too), and what takes longer begins before everything
// else.
template <unsigned rounds, unsigned loads, typename Total>
__device__ Total tileSum(const Vectors<int>& vectors) {
  const unsigned tile = blockIdx.x > 0 ? blockIdx.x - 1 : gridDim.x - 1, round = loads * blockDim.x;
  const size_t begin = size_t(tile) * rounds * round;
  const bool whole = begin + rounds * round <= vectors.count;
  Total sum = whole ? 0 : Total(vectors.leftBefore(0)) + vectors.leftAfter(0);
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    int4 v[loads];
    vectors.load(v, begin + r * round + threadIdx.x, whole, 0);
    for (unsigned k = 0; k < loads; ++k) sum += (Total(v[k].x) + v[k].y) + (Total(v[k].z) + v[k].w);
  }
  return sum;
}
